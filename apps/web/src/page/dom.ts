/** Builds nodes. Text goes in as text and never as HTML, so that nothing a model or a tool says can become markup. */
type Child = Node | string | undefined;

export interface Attributes {
  class?: string;
  title?: string;
  [name: string]: string | boolean | undefined;
}

export function element<Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(key, '');
    else if (typeof value === 'string') node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== undefined));
  return node;
}

export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const node = element('button', { type: 'button', ...attributes }, label);
  node.addEventListener('click', onClick);
  return node;
}

/** The element of index.html with this id. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const node = document.getElementById(id);
  if (node instanceof type) return node;
  throw new Error(`index.html has no ${type.name} #${id}`);
}
