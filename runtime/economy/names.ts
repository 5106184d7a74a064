// Names of parties: how they are spelled, and who has which. Those of the network itself are no
// contracts and never expire. docs/payments.md
import type { AnsEntry } from '../../generated/contracts.gen.ts'
import { ansEntry } from '../contracts/index.ts'
import type { Contract } from '../engine/index.ts'
import type { Economy } from './economy.ts'
import type { NetworkCommand } from './network/commands.ts'

type Source = Pick<Economy, 'clock' | 'parties' | 'reader' | 'settings'>

/** A name and who has it. */
export interface NameEntry extends Pick<AnsEntry, 'user' | 'name' | 'url' | 'description'> {
  /** Absent for names of the network itself. */
  readonly contractId?: string
  /** Microseconds since 1970; absent where it never expires. */
  readonly expiresAt?: bigint
}

/** Names of one party that are looked at. */
const MAX_OF_PARTY = 1_000

/** Entries of one name: those that have expired are soon gone. */
const MAX_OF_NAME = 10

/** The ending of a user's name. */
function nameEnding({ settings: { network } }: Pick<Economy, 'settings'>): string {
  return `.unverified.${network.nameServiceNameAcronym.toLowerCase()}`
}

/** The problem with the texts of an entry, for people; undefined if there is none. */
export function entryProblem(
  economy: Pick<Economy, 'settings'>,
  { name, url }: Pick<AnsEntry, 'name' | 'url'>,
): string | undefined {
  const ending = nameEnding(economy)
  const isName = name.endsWith(ending) && /^[a-z0-9_-]{1,40}$/.test(name.slice(0, -ending.length))
  if (!isName) return `name must be 1 to 40 of a-z, 0-9, _ and -, then ${ending}`
  return url === '' || isWebAddress(url) ? undefined : 'url must be empty or an http(s) address'
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && text.length <= 255 && URL.canParse(text)
}

/** The entry of a name that has not expired; of several the oldest. */
export async function entryNamed(source: Source, name: string): Promise<NameEntry | undefined> {
  const own = ofNetwork(source).find((entry) => entry.name === name)
  if (own !== undefined) return own
  const found = await source.reader.active(ansEntry, { name }, { limit: MAX_OF_NAME })
  return unexpired(source, found)[0]
}

/** A party's entries that have not expired, by name. */
export async function entriesOf(source: Source, user: string): Promise<readonly NameEntry[]> {
  const found = await source.reader.active(ansEntry, { user }, { limit: MAX_OF_PARTY })
  const own = ofNetwork(source).filter((entry) => entry.user === user)
  return [...own, ...unexpired(source, found)].toSorted(byName)
}

/** Up to `limit` entries whose name begins with `prefix`, by name. */
export async function entriesFrom(
  source: Source,
  prefix: string,
  limit: number,
): Promise<readonly NameEntry[]> {
  const own = ofNetwork(source).filter(({ name }) => name.startsWith(prefix))
  const exact = await entryNamed(source, prefix)
  const entries = exact === undefined || own.includes(exact) ? [...own] : [...own, exact]
  const key = ansEntry.by('name')
  let after = prefix
  while (entries.length < limit) {
    const names = await source.reader.keys(key, after, limit)
    const alike = names.filter((name) => name.startsWith(prefix))
    for (const name of alike) {
      const entry = await entryNamed(source, name)
      if (entry !== undefined) entries.push(entry)
    }
    const last = names.at(-1)
    if (last === undefined || alike.length < names.length || names.length < limit) break
    after = last
  }
  return entries.toSorted(byName).slice(0, limit)
}

function unexpired(
  { clock }: Pick<Source, 'clock'>,
  contracts: readonly Contract<AnsEntry>[],
): readonly NameEntry[] {
  const now = clock.nowMicros()
  return contracts
    .filter(({ payload }) => payload.expiresAt > now)
    .map(({ id: contractId, payload: { user, name, url, description, expiresAt } }) => ({
      contractId,
      user,
      name,
      url,
      description,
      expiresAt,
    }))
}

function ofNetwork({ parties: { dso, sv }, settings: { network } }: Source): readonly NameEntry[] {
  const acronym = network.nameServiceNameAcronym.toLowerCase()
  const texts = { url: '', description: '' }
  return [
    { user: dso, name: `dso.${acronym}`, ...texts },
    { user: sv, name: `${network.svName.toLowerCase()}.sv.${acronym}`, ...texts },
  ]
}

function byName({ name: one }: NameEntry, { name: other }: NameEntry): number {
  return one < other ? -1 : 1
}

const FACT = 'name'

/**
 * What a command needs so that of several that give away a name, on whichever server, one succeeds:
 * its id, made of how often the name was given away before, and the fact that it was once more. To
 * be asked for before it is looked whether the name is free.
 */
export async function nameCommand(
  { store }: Pick<Economy, 'store'>,
  name: string,
): Promise<Pick<NetworkCommand<unknown>, 'commandId' | 'project'>> {
  const before = Number((await store.contracts.fact(FACT, name))?.body ?? 0)
  const body = JSON.stringify(before + 1)
  return {
    commandId: `name-${body}-${name}`,
    project: () => ({ logs: [], facts: [{ kind: FACT, key: name, body }] }),
  }
}
