// How the plugin answers: under a policy that lets in nothing from other hosts.
import type { ExtensionService } from '../../runtime/index.ts'

export type Router = Parameters<NonNullable<ExtensionService['mount']>>[0]
export type Answer = Parameters<Parameters<Router['get']>[1]>[0]

/**
 * Swagger UI sets styles on elements, hence `unsafe-inline` for styles; scripts and everything else
 * come from this server only.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every answer. */
export const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const

/** Answers 200 with a text or bytes of this media type. */
export function send(answer: Answer, type: string, body: string | Buffer): void {
  answer.status = 200
  answer.type = type
  answer.body = body
  answer.set(HEADERS)
}

export const HTML = 'text/html; charset=utf-8'
export const JSON_TYPE = 'application/json'
