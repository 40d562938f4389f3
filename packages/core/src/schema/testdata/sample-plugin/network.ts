/** Ten tools over the network: formats, URLs, secrets, dates, tagged unions, maps. */
import { IsDivisibleBy, IsEmail, IsFQDN, IsIP, IsInt, IsNumber, IsPort, IsPositive, IsUUID, IsUrl, Length, Max, Min, ValidateIf } from 'class-validator';
import { Param, Tool, json, literal, nullable, record, tuple, union } from '../../../index.js';

@Tool('Fetch a web page.', { scopes: ['network'], timeoutMs: 30_000, retry: { attempts: 3, on: ['timeout', 'network'] } })
export class FetchPage {
  @Param('Address', { kind: 'url', access: 'read' }) url!: URL;
  @Param('Headers by name', { type: () => record(String) }) headers: Record<string, string> = {};
  @Param('Token for the site', { kind: 'secret', optional: true }) token?: string;
  execute() {
    return this.url.href;
  }
}

class MailTarget {
  @Param() kind: string = 'mail';
  @Param('Address') @IsEmail() address!: string;
}
class HookTarget {
  @Param() kind: string = 'hook';
  @Param('Address of the hook') @IsUrl({ require_protocol: true }) url!: string;
  @Param('Times to try') @IsInt() @IsPositive() attempts: number = 3;
}
class LogTarget {
  @Param() kind: string = 'log';
}

@Tool('Send a message to one target or several.', { scopes: ['network'] })
export class SendMessage {
  @Param('Where to', { oneOf: () => [MailTarget, HookTarget, LogTarget], discriminator: 'kind' }) target!: MailTarget | HookTarget | LogTarget;
  @Param('Who gets a copy', { oneOf: () => [MailTarget, HookTarget] }) copies: (MailTarget | HookTarget)[] = [];
  @Param('Text') @Length(1, 4_000) text!: string;
  execute() {
    return this.target.kind;
  }
}

@Tool('Call a JSON API.', { scopes: ['network', 'write'], idempotent: false })
export class CallApi {
  @Param('Method', { enum: ['GET', 'POST', 'PUT', 'DELETE'] }) method!: string;
  @Param('Path of the endpoint') path!: string;
  @Param('Body, any JSON', { type: () => json, optional: true }) body?: unknown;
  @Param('Query parameters', { type: () => record(union(String, Number, Boolean)) }) query: Record<string, string | number | boolean> = {};
  execute() {
    return this.method;
  }
}

@Tool('Look up a host name.', { scopes: ['network'] })
export class LookUpHost {
  @Param('Host name') @IsFQDN() host!: string;
  @Param('Server to ask', { optional: true }) @IsIP('4') server?: string;
  execute() {
    return this.host;
  }
}

@Tool('Schedule a job.', { scopes: ['network'] })
export class ScheduleJob {
  @Param('Id of the job') @IsUUID() id!: string;
  @Param('When it runs first') start!: Date;
  @Param('When it runs last; null for no end', { type: () => nullable(Date) }) end: Date | null = null;
  @Param('Minutes between two runs') @IsInt() @IsDivisibleBy(5) every: number = 60;
  execute() {
    return this.start.toISOString();
  }
}

@Tool('Check whether ports of a host are open.', { scopes: ['network'] })
export class CheckPorts {
  @Param('Host') host!: string;
  @Param('Ports', { type: () => Number }) @IsInt({ each: true }) @Min(1, { each: true }) @Max(65_535, { each: true }) ports!: number[];
  execute() {
    return this.ports.length;
  }
}

@Tool('Weather at a place.', { scopes: ['network'] })
export class Weather {
  @Param('Latitude and longitude', { type: () => tuple(Number, Number) }) place!: [number, number];
  @Param('Unit', { type: () => literal('celsius', 'fahrenheit') }) unit: 'celsius' | 'fahrenheit' = 'celsius';
  execute() {
    return this.unit;
  }
}

@Tool('Open a tunnel.', { scopes: ['network', 'dangerous'] })
export class OpenTunnel {
  @Param('Local port, as text') @IsPort() port!: string;
  @Param('Use a proxy') useProxy: boolean = false;
  @Param('Address of the proxy') @ValidateIf((tunnel: OpenTunnel) => tunnel.useProxy) @IsUrl() proxy!: string;
  execute() {
    return this.port;
  }
}

@Tool('Transfer an amount.', { scopes: ['network', 'write'], confirm: true })
export class Transfer {
  @Param('Amount in the smallest unit') amount!: bigint;
  @Param('Rate') @IsNumber({ maxDecimalPlaces: 4 }) @IsPositive() rate: number = 1;
  @Param('Deadlines by stage', { type: () => Date }) deadlines: Map<string, Date> = new Map();
  execute() {
    return this.amount.toString();
  }
}

@Tool('Ping.', { scopes: ['network'] })
export class Ping {
  execute() {
    return 'pong';
  }
}
