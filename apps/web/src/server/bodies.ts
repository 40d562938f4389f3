/** The bodies that the server accepts, as classes: checked like a tool's arguments, and shown in the OpenAPI page from the same source. */
import type { ApprovalAnswer, JsonObject } from '@haft/core';
import { Param, parseAs, record, json } from '@haft/core';
import { IsBase64, Matches, MaxLength } from 'class-validator';
import { WebError } from './web-error.js';

export class ImageBody {
  @Param('Media type', { enum: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] })
  mediaType!: string;

  @Param('The bytes, base64') @IsBase64()
  data!: string;
}

export class MessageBody {
  @Param('What the user says') @MaxLength(1_000_000)
  text!: string;

  @Param('Images shown with it', { type: () => [ImageBody] })
  images: ImageBody[] = [];

  @Param('Let the run go on for a while when nobody listens')
  detach: boolean = false;

  @Param('Turn older messages into notes before the first request')
  compact: boolean = false;
}

export class ApprovalBody {
  @Param('The answer', { enum: ['once', 'session', 'always', 'deny', 'edit'] })
  answer!: ApprovalAnswer['answer'];

  @Param('The hash of the question that is answered') @Matches(/^[0-9a-f]{64}$/)
  hash!: string;

  @Param('Why not, for the model to read', { optional: true }) @MaxLength(10_000)
  reason?: string;

  @Param('With `edit`: the arguments to call with', { optional: true, type: () => record(json) })
  arguments?: JsonObject;
}

export class SteerBody {
  @Param('What the model should read with its next request') @MaxLength(100_000)
  text!: string;
}

export class EmptyBody {}

/** Throws 400 with every wrong field. */
export function readBody<T>(target: abstract new () => T, input: unknown): T {
  const outcome = parseAs(target, input);
  if (outcome.ok) return outcome.value;
  throw new WebError(400, 'invalid_body', outcome.issues.map((issue) => issue.message).join('; '), outcome.issues);
}

export function answerOf(body: ApprovalBody): ApprovalAnswer {
  if (body.answer === 'edit') {
    if (body.arguments === undefined) throw new WebError(400, 'invalid_body', 'An edit needs `arguments`.');
    return { answer: 'edit', arguments: body.arguments };
  }
  if (body.answer === 'deny') return { answer: 'deny', ...(body.reason === undefined ? {} : { reason: body.reason }) };
  return { answer: body.answer };
}
