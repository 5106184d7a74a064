// What `serve` says once it answers: where, with what, how to get in.
import type { Profile } from '../host/config/schema.ts'
import type { OtherServer } from '../host/plugin.ts'

export interface BannerFacts {
  readonly version: string
  readonly profile: Profile
  /** `http://host:port`, without a slash at the end. */
  readonly origin: string
  readonly interfaces: readonly {
    readonly name: string
    readonly mount: string
    readonly mounted: readonly string[]
    readonly unmounted: readonly string[]
  }[]
  readonly storage: { readonly name: string; readonly location: string }
  /** Those that work on the same data. */
  readonly otherServers: readonly OtherServer[]
  readonly tokenHints: readonly string[]
  /** Of people whom a development network begins with. */
  readonly tokens: readonly { readonly user: string; readonly token: string }[]
  /** What a person should know at once. */
  readonly notes: readonly string[]
  readonly pages: readonly { readonly label: string; readonly address: string }[]
  readonly readyMs: number
}

const LABEL_WIDTH = 12

/** The banner as lines of text, each ended. */
export function banner(facts: BannerFacts): string {
  const served = facts.interfaces.reduce((sum, one) => sum + one.mounted.length, 0)
  const unserved = facts.interfaces.reduce((sum, one) => sum + one.unmounted.length, 0)
  const row = (label: string, text: string): string => `  ${label.padEnd(LABEL_WIDTH)}${text}`
  return [
    `Ledgerwright ${facts.version}, profile ${facts.profile}`,
    '',
    ...facts.interfaces.map((one) => row(one.name, `${facts.origin}${one.mount}${partNote(one)}`)),
    ...facts.pages.map(({ label, address }) => row(label, address)),
    row('storage', `${facts.storage.name}, ${facts.storage.location}`),
    ...facts.otherServers.map(({ pid, since }) =>
      row('shared', `with another server, process ${pid}, since ${since}`),
    ),
    row('operations', `${served} served, ${unserved} not yet`),
    ...facts.tokenHints.map((hint) => row('token', hint)),
    ...facts.tokens.map(({ user, token }) => row(`  ${user}`, token)),
    ...facts.notes.map((note) => row('note', note)),
    '',
    `ready in ${Math.round(facts.readyMs)} ms; Ctrl-C stops it`,
    '',
  ].join('\n')
}

function partNote(one: BannerFacts['interfaces'][number]): string {
  const all = one.mounted.length + one.unmounted.length
  return one.unmounted.length === 0 ? '' : ` (${one.mounted.length} of ${all} operations)`
}

/** The address as a URL; a wildcard address is shown as the loopback one that reaches it. */
export function originOf(host: string, port: number): string {
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}
