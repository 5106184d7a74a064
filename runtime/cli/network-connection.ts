// How the commands of `network` reach a running service, and read its answers.
import { createClient, UndeclaredAnswerError } from '../../generated/validator/client.gen.ts'
import type { Client } from '../../generated/validator/client.gen.ts'
import type { Configuration } from '../host/config/configuration.ts'
import { member } from '../host/member.ts'
import { printable } from '../host/printable.ts'
import { CommandError, messageOf } from '../host/problem.ts'
import { originOf } from './banner.ts'
import type { NetworkFlags } from './network-flags.ts'
import { EXIT } from './outcome.ts'
import { goodSettings, nodeSettings } from './settings.ts'
import { issueToken } from './token.ts'

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

export interface Connection {
  readonly origin: string
  /** The acting user. */
  readonly user: string
  readonly token: string
  readonly client: Client
}

/** Connects to the service of the configuration, as a user. */
export async function connect(flags: NetworkFlags): Promise<Connection> {
  return connectTo(nodeSettings(await goodSettings(flags), flags), flags)
}

/** Connects to one node, with the configuration that it runs with. */
export async function connectTo(
  config: Configuration,
  flags: Pick<NetworkFlags, 'url' | 'user'>,
): Promise<Connection> {
  const user = flags.user ?? operatorOf(config)
  const origin = flags.url?.replace(/\/+$/, '') ?? addressOf(config)
  const token = await issueToken(config, user)
  const client = createClient({ baseUrl: `${origin}/api/validator`, token })
  return { origin, user, token, client }
}

function operatorOf({ values: { validator } }: Configuration): string {
  const configured = member(validator, 'validatorWalletUser')
  return typeof configured === 'string' ? configured : 'operator'
}

/** The address of a node with this configuration. */
export function addressOf({ values: { server } }: Configuration): string {
  return originOf(server.host, server.port)
}

/** An answer whose body may be anything. */
export interface AnyAnswer {
  readonly status: number
  readonly body: unknown
}

/** The body of a success. Throws one line for anything else. */
export async function asked<A extends AnyAnswer>(
  answer: Promise<A>,
): Promise<Extract<A, { readonly status: 200 }>['body']> {
  const given = await answer.catch((error: unknown) => {
    throw error instanceof UndeclaredAnswerError ? error : unreachable(error)
  })
  if (isSuccess(given)) return given.body
  throw answeredWith(given)
}

/** The answer of an operation of a development network. */
export async function developmentAnswer(
  connection: Connection,
  path: string,
  body?: object,
): Promise<unknown> {
  const sent =
    body === undefined ? undefined : new Blob([JSON.stringify(body)], { type: 'application/json' })
  const answer = await answerOf(connection, `/development/${path}`, sent)
  if (answer.ok) return answer.body
  throw answeredWith(answer)
}

/** What a service answers, whatever its status; a body is posted. */
export async function answerOf(
  { origin, token }: Connection,
  path: string,
  body?: Blob,
): Promise<AnyAnswer & { readonly ok: boolean }> {
  const answer = await fetch(`${origin}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    // The token is for this service alone.
    redirect: 'manual',
    ...(body === undefined ? {} : { method: 'POST', body }),
  }).catch((error: unknown) => {
    throw unreachable(error)
  })
  const { ok, status } = answer
  return { ok, status, body: await answer.json().catch(() => undefined) }
}

/** Nobody answers: it may be worth trying again. */
export class ServiceUnreachable extends CommandError {}

function unreachable(error: unknown): CommandError {
  return new ServiceUnreachable(`the service cannot be reached: ${causeOf(error)}`)
}

function answeredWith({ status, body }: AnyAnswer): CommandError {
  return new CommandError(`the service answers ${status}: ${String(member(body, 'error') ?? '')}`)
}

function isSuccess<A extends AnyAnswer>(answer: A): answer is Extract<A, { readonly status: 200 }> {
  return answer.status === 200
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return messageOf(cause ?? error)
}

/** Milliseconds of `30m`, `12h`, `7d`; exit code 2 for other texts. */
export function durationMs(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNIT_MS[unit] ?? 0)
  if (ms > 0) return ms
  throw new CommandError(`"${text}" is not a duration such as 30m, 12h or 7d`, EXIT.usage)
}

/** A line on standard output; what is said of a server's answer may be anything. */
export function say(line: string): void {
  process.stdout.write(`${printable(line)}\n`)
}
