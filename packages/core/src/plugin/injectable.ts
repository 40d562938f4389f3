/** Marks a class as a service, so that the compiler keeps the types of its constructor. It registers nothing. */
export function Injectable(): ClassDecorator {
  return () => undefined;
}
