// Runs before each test file. Jest gives a file its own globals, so errors thrown by Node itself are not `instanceof` the file's Error
// classes; here `instanceof` also accepts a native error of the same name from outside.
import 'reflect-metadata';
import { types } from 'node:util';

const ordinary = Function.prototype[Symbol.hasInstance];

for (const errorClass of [Error, TypeError, RangeError, SyntaxError]) {
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    configurable: true,
    value(candidate) {
      if (ordinary.call(this, candidate)) return true;
      return this === errorClass && types.isNativeError(candidate) && hasAncestorNamed(candidate, errorClass.name);
    },
  });
}

function hasAncestorNamed(candidate, name) {
  for (let type = Object.getPrototypeOf(candidate); type !== null; type = Object.getPrototypeOf(type)) {
    if (type.constructor?.name === name) return true;
  }
  return false;
}
