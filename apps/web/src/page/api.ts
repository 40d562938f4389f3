/** Requests to the server, with the token that came in the address and stays in this tab. */
import type { Message, UserMessage } from '@haft/agent';
import type { ApprovalAnswer, ApprovalRequest } from '@haft/core';

export interface SessionState {
  id: string;
  running: boolean;
  resumeFrom: number;
  messages: Message[];
  input?: UserMessage;
  approvals: ApprovalRequest[];
}

export interface SessionRow {
  id: string;
  title: string;
  updatedMs: number;
  running: boolean;
}

export interface SearchHit {
  sessionId: string;
  snippet: string;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Takes the token out of the address, so that it is neither shown nor bookmarked. */
export function takeToken(): string | undefined {
  const given = /(?:^#|&)token=([\w-]+)/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem('haft-token', given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem('haft-token') ?? undefined;
}

export class Api {
  constructor(private readonly token: string) {}

  async info(): Promise<{ model: string; root: string; tools: number }> {
    return this.json('/api/info');
  }

  async sessions(): Promise<SessionRow[]> {
    return (await this.json<{ sessions: SessionRow[] }>('/api/sessions')).sessions;
  }

  async search(text: string): Promise<SearchHit[]> {
    return (await this.json<{ hits: SearchHit[] }>(`/api/sessions?search=${encodeURIComponent(text)}`)).hits;
  }

  async create(): Promise<SessionState> {
    return this.json('/api/sessions', { method: 'POST', body: {} });
  }

  async session(id: string): Promise<SessionState> {
    return this.json(`/api/sessions/${id}`);
  }

  async remove(id: string): Promise<void> {
    await this.json(`/api/sessions/${id}`, { method: 'DELETE' });
  }

  async exported(id: string): Promise<string> {
    return (await this.request(`/api/sessions/${id}/export?format=markdown`)).text();
  }

  async stop(id: string): Promise<void> {
    await this.json(`/api/sessions/${id}/stop`, { method: 'POST', body: {} });
  }

  /** For the model to read with its next step. */
  async steer(id: string, text: string): Promise<void> {
    await this.json(`/api/sessions/${id}/steer`, { method: 'POST', body: { text } });
  }

  async answer(id: string, request: ApprovalRequest, answer: ApprovalAnswer): Promise<void> {
    await this.json(`/api/sessions/${id}/approvals/${encodeURIComponent(request.callId)}`, { method: 'POST', body: { ...answer, hash: request.hash } });
  }

  /** Starts a run; its events are read by `events`, so the answer itself is let go. */
  async send(id: string, message: { text: string; images: { mediaType: string; data: string }[]; compact: boolean }): Promise<void> {
    const response = await this.request(`/api/sessions/${id}/messages`, { method: 'POST', body: message });
    await response.body?.cancel();
  }

  async events(id: string, lastEvent: number, signal: AbortSignal): Promise<Response> {
    return this.request(`/api/sessions/${id}/events`, { headers: { 'last-event-id': String(lastEvent) }, signal });
  }

  private async json<T>(path: string, options: RequestOptions = {}): Promise<T> {
    return (await this.request(path, options)).json() as Promise<T>;
  }

  private async request(path: string, options: RequestOptions = {}): Promise<Response> {
    const response = await fetch(path, {
      method: options.method ?? 'GET',
      headers: { authorization: `Bearer ${this.token}`, ...(options.method === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    if (response.ok) return response;
    const refused = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
    throw new ApiError(response.status, refused.code ?? 'error', refused.message ?? `HTTP ${response.status}`);
  }
}

interface RequestOptions {
  method?: 'POST' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
