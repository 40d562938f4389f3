/** File under docs/ → what it should say. */
export declare const pages: Record<string, () => string>;
