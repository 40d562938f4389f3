// What a query may ask of a row: a union of three forms, told apart by `op`. The model sees it as a tagged union.
import { Param } from '@haft/core';
import { IsNumber, MinLength } from 'class-validator';

export class Equals {
  @Param('Equal to a value', { enum: ['equals'] })
  op!: 'equals';

  @Param('Column') @MinLength(1)
  column!: string;

  @Param('The value, as it stands in the table')
  value!: string;

  fits(cell: string): boolean {
    return cell === this.value;
  }
}

export class Contains {
  @Param('Contains a text, upper and lower case alike', { enum: ['contains'] })
  op!: 'contains';

  @Param('Column') @MinLength(1)
  column!: string;

  @Param('The text') @MinLength(1)
  text!: string;

  fits(cell: string): boolean {
    return cell.toLowerCase().includes(this.text.toLowerCase());
  }
}

export class Between {
  @Param('A number in a range, both ends included', { enum: ['between'] })
  op!: 'between';

  @Param('Column') @MinLength(1)
  column!: string;

  @Param('Lowest') @IsNumber()
  from!: number;

  @Param('Highest') @IsNumber()
  to!: number;

  fits(cell: string): boolean {
    const number = Number(cell);
    return cell.trim() !== '' && number >= this.from && number <= this.to;
  }
}

export type Filter = Equals | Contains | Between;
