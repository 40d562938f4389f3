/** Ten tools of the method form, over one service. */
import { FromContext, Param, Tool, arrayOf, integer, nullable, union, type ToolContext } from '../../../index.js';

class Point {
  @Param('From the left') x!: number;
  @Param('From the top') y: number = 0;
}

export class Calculator {
  @Tool('Add numbers.', { scopes: [] })
  add(@Param('Numbers', { type: () => arrayOf(Number) }) values: number[]) {
    return values.reduce((sum, value) => sum + value, 0);
  }

  @Tool('Divide one number by another.', { scopes: [], examples: [{ dividend: 6, divisor: 3 }] })
  divide(@Param('Number to divide') dividend: number, @Param('Number to divide by', { default: 1 }) divisor: number) {
    return dividend / divisor;
  }

  @Tool('Raise to a power.', { scopes: [], tags: ['power'] })
  power(@Param() base: number, @Param({ type: () => integer, default: 2 }) exponent: number) {
    return base ** exponent;
  }

  @Tool('Round a number.', { scopes: [] })
  round(@Param() value: number, @Param({ enum: ['up', 'down', 'nearest'], default: 'nearest' }) mode: string) {
    return mode === 'up' ? Math.ceil(value) : Math.round(value);
  }

  @Tool('Distance of two points.', { scopes: [] })
  distance(@Param('One point') from: Point, @Param('The other point') to: Point) {
    return Math.hypot(from.x - to.x, from.y - to.y);
  }

  @Tool('Convert a date to seconds.', { scopes: [] })
  toSeconds(@Param('Date and time') when: Date) {
    return when.getTime() / 1_000;
  }

  @Tool('Multiply large whole numbers.', { name: 'multiply_large', scopes: [] })
  multiply(@Param() left: bigint, @Param() right: bigint) {
    return (left * right).toString();
  }

  @Tool('Remember a value for the user.', { scopes: ['write'] })
  remember(@Param({ name: 'key' }) name: string, @Param({ type: () => nullable(union(String, Number)) }) value: string | number | null, @FromContext('user') user: string, context: ToolContext) {
    return `${user} ${name} ${String(value)} ${context.callId}`;
  }

  @Tool('Throw dice.', { scopes: [], idempotent: false })
  throwDice(@Param('Number of dice', { type: () => integer, default: 1 }) dice: number, @Param({ type: () => integer, optional: true }) sides?: number) {
    return dice * (sides ?? 6);
  }

  @Tool('Check a flag.', { scopes: [] })
  checkFlag(@Param('Flag') flag: boolean) {
    return flag;
  }
}
