/** Ten tools over data: enums, inheritance, recursion, transforms, names that are keywords elsewhere. */
import { Transform, Type } from 'class-transformer';
import { Equals, IsAlpha, IsHexColor, IsIn, IsInt, IsISO8601, IsNotIn, IsOptional, IsSemVer, IsString, Max, Min, MinLength, registerDecorator, ValidateNested } from 'class-validator';
import { Param, Tool, arrayOf, integer, nullable, record } from '../../../index.js';

enum Level {
  Low = 1,
  Middle = 2,
  High = 3,
}

abstract class Paged {
  @Param('Page, from 1') @IsInt() @Min(1) page: number = 1;
  @Param('Rows a page') @IsInt() @Min(1) @Max(100) size: number = 20;
}

@Tool('Query a table.', { scopes: ['read'] })
export class QueryTable extends Paged {
  @Param('Name of the table') @IsAlpha() table!: string;
  @Param('Only these columns', { type: () => String, optional: true }) columns?: string[];
  execute() {
    return this.table;
  }
}

@Tool('List alarms.', { scopes: ['read'] })
export class ListAlarms extends Paged {
  @Param('At least this level', { enum: Level }) level: Level = Level.Low;
  @Max(500) override size: number = 100;
  execute() {
    return this.level;
  }
}

class Condition {
  @Param('Column') @MinLength(1) column!: string;
  @Param('Comparison', { enum: ['=', '<', '>', 'like'] }) op: string = '=';
  @Param('Value') value!: string;
  @Param('All of these too', { type: () => Condition, optional: true }) and?: Condition[];
  @Param('Or this', { type: () => nullable(Condition), optional: true }) or?: Condition | null;
}

@Tool('Filter rows by nested conditions.', { scopes: ['read'] })
export class FilterRows {
  @Param('Condition') where!: Condition;
  @Param('Condition that rows must not meet', { optional: true }) unless?: Condition;
  execute() {
    return this.where.column;
  }
}

class Series {
  @IsString() name!: string;
  @IsInt({ each: true }) @Type(() => Number) points!: number[];
}

@Tool('Draw a chart.', { scopes: [] })
export class DrawChart {
  @Param('Series to draw') @ValidateNested({ each: true }) @Type(() => Series) series!: Series[];
  @Param('Colour') @IsHexColor() colour: string = '#3366cc';
  @Param('Width and height') size = [640, 480];
  execute() {
    return this.series.length;
  }
}

@Tool('Split a text.', { scopes: [] })
export class SplitText {
  @Param('Text') @Transform(({ value }) => (typeof value === 'string' ? value.trim() : value)) text!: string;
  @Param('Separator') @IsNotIn(['']) separator: string = ',';
  execute() {
    return this.text.split(this.separator);
  }
}

function IsPalindrome() {
  return (target: object, propertyName: string) => registerDecorator({
    name: 'isPalindrome', target: target.constructor, propertyName, validator: { validate: (value) => value === Array.from(String(value)).toReversed().join(''), defaultMessage: () => '$property must read the same backwards' },
  });
}

@Tool('Check a word.', { scopes: [] })
export class CheckWord {
  @Param('Word') @IsPalindrome() word!: string;
  @Param('Day it was coined', { optional: true }) @IsISO8601() day?: string;
  execute() {
    return this.word;
  }
}

@Tool('Multiply matrices.', { scopes: [] })
export class MultiplyMatrices {
  @Param('Left matrix, by rows', { type: () => arrayOf([Number]) }) left!: number[][];
  @Param('Right matrix, by rows', { type: () => [[Number]] }) right!: number[][];
  execute() {
    return this.left.length;
  }
}

@Tool('Publish a release.', { scopes: ['write', 'network'], confirm: true })
export class PublishRelease {
  @Param('Version') @IsSemVer() version!: string;
  @Param('Channel') @IsIn(['stable', 'next', 'nightly']) channel!: string;
  @Param('Say "publish" to go on') @Equals('publish') sure!: string;
  @Param('Priority', { enum: [1, 2.5, 'auto'] }) priority: number | string = 'auto';
  execute() {
    return this.version;
  }
}

@Tool('Takes parameters that are named like keywords of JSON Schema.', { scopes: [] })
export class KeywordNames {
  @Param('Type') type!: string;
  @Param('Default', { name: 'default', optional: true }) fallback?: string;
  @Param('Format') format: string = 'plain';
  @Param('Schema', { name: '$schema', optional: true }) schema?: string;
  @Param('Properties', { type: () => record(integer) }) properties: Record<string, number> = {};
  execute() {
    return this.type;
  }
}

@Tool('按关键词搜索文档。', { name: 'search_docs_zh', title: '搜索文档', scopes: ['read'], tags: ['搜索'] })
export class SearchDocsZh {
  @Param('关键词') @MinLength(1) keyword!: string;
  @Param('最多返回几条') @IsOptional() @IsInt() @Min(1) limit: number = 10;
  execute() {
    return this.keyword;
  }
}
