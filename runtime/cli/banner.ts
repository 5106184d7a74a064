// What `serve` says once it answers: where, with what, how to get in.
import type { Profile } from '../host/config/schema.ts'
import type { OtherServer } from '../host/plugin.ts'

/** Facts of a node for the banner. */
export interface NodeFacts {
  /** The node's name, if there are several. */
  readonly name: string | undefined
  /** `http://host:port`, without a slash at the end. */
  readonly origin: string
  readonly interfaces: readonly {
    readonly name: string
    readonly mount: string
    readonly mounted: readonly string[]
    readonly unmounted: readonly string[]
  }[]
  readonly tokenHints: readonly string[]
  /** Tokens of the people whom a development network begins with. */
  readonly tokens: readonly { readonly user: string; readonly token: string }[]
  /** Notes that a person should know at once. */
  readonly notes: readonly string[]
  readonly pages: readonly { readonly label: string; readonly address: string }[]
}

interface BannerFacts {
  readonly version: string
  readonly profile: Profile
  readonly nodes: readonly NodeFacts[]
  readonly storage: { readonly name: string; readonly location: string }
  /** Servers that work on the same data. */
  readonly otherServers: readonly OtherServer[]
  readonly readyMs: number
}

const LABEL_WIDTH = 12

/** The banner as lines of text, each ended. */
export function banner(facts: BannerFacts): string {
  const [first, ...later] = facts.nodes
  return [
    `Ledgerwright ${facts.version}, profile ${facts.profile}`,
    '',
    ...(first === undefined ? [] : nodeLines(first, ledgerLines(facts))),
    ...later.flatMap((node) => ['', ...nodeLines(node, [])]),
    '',
    `ready in ${Math.round(facts.readyMs)} ms; Ctrl-C stops it`,
    '',
  ].join('\n')
}

function row(label: string, text: string): string {
  return `  ${label.padEnd(LABEL_WIDTH - 1)} ${text}`
}

function ledgerLines({ storage, otherServers }: BannerFacts): readonly string[] {
  return [
    row('storage', `${storage.name}, ${storage.location}`),
    ...otherServers.map(({ pid, since }) =>
      row('shared', `with another server, process ${pid}, since ${since}`),
    ),
  ]
}

function nodeLines(node: NodeFacts, ofLedger: readonly string[]): readonly string[] {
  const served = node.interfaces.reduce((sum, one) => sum + one.mounted.length, 0)
  const unserved = node.interfaces.reduce((sum, one) => sum + one.unmounted.length, 0)
  return [
    ...(node.name === undefined ? [] : [`node ${node.name}`]),
    ...node.interfaces.map((one) => row(one.name, `${node.origin}${one.mount}${partNote(one)}`)),
    ...node.pages.map(({ label, address }) => row(label, address)),
    ...ofLedger,
    row('operations', `${served} served, ${unserved} not yet`),
    ...node.tokenHints.map((hint) => row('token', hint)),
    ...node.tokens.map(({ user, token }) => row(`  ${user}`, token)),
    ...node.notes.map((note) => row('note', note)),
  ]
}

function partNote(one: NodeFacts['interfaces'][number]): string {
  const all = one.mounted.length + one.unmounted.length
  return one.unmounted.length === 0 ? '' : ` (${one.mounted.length} of ${all} operations)`
}

/** The address as a URL; a wildcard address is shown as the loopback one that reaches it. */
export function originOf(host: string, port: number): string {
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}
