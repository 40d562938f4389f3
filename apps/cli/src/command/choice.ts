// A flag or argument that takes one of some words: a slip is told with the nearest of them.
import { type Argument, InvalidArgumentError, type Option } from 'commander';
import { didYouMean } from '../text/did-you-mean.js';

/** Limits the option to `values`. */
export function oneOf<T extends Option | Argument>(option: T, values: readonly string[]): T {
  const check = (value: string): string => {
    if (values.includes(value)) return value;
    throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.${didYouMean(value, values)}`);
  };
  // In this order: `choices` brings a check of its own.
  option.choices(values).argParser(check);
  return option;
}
