// Which versions of templates a ledger's contracts were ever written with: a fact each, so that a
// start on data of a newer program is seen before anything is read or written. docs/decisions/0012
import { templateOf } from '../store/rules.ts'
import type { ContractStore, FactRecord } from '../store/store.ts'
import type { AnyTemplate } from './template.ts'

const KIND = 'template-version'
const PAGE = 500

/** Most contracts among which an unknown version is looked for. */
const MAX_SOUGHT = 100_000

/**
 * The data has active contracts of versions that this program does not know. One line for people.
 */
export class DataTooNew extends Error {
  override readonly name = 'DataTooNew'
}

/**
 * Writes down what this program writes, where it is new. Rejects with DataTooNew, having written
 * nothing, where active contracts are of a version that none of `templates` reads. Older contracts
 * than the facts are of known versions.
 */
export async function noteVersions(
  store: ContractStore,
  templates: readonly AnyTemplate[],
  recordFacts: (facts: readonly FactRecord[]) => Promise<void>,
): Promise<void> {
  const readable = new Set(templates.flatMap(({ id, earlierIds }) => [id, ...earlierIds]))
  const noted = await notedVersions(store)
  const unknown = noted.filter(({ key }) => !readable.has(key))
  const alive: string[] = []
  for (const fact of unknown) if (await hasActive(store, fact)) alive.push(nameOf(fact))
  if (alive.length > 0) throw new DataTooNew(tooNew(alive))
  const missing = templates.filter(({ id }) => !noted.some(({ key }) => key === id))
  if (missing.length > 0) await recordFacts(missing.map(factOf))
}

function tooNew(names: readonly string[]): string {
  return (
    `the data has active contracts that this version of the program cannot read: ${names.join(', ')}; ` +
    'start the program that wrote them, or see each with "ledgerwright verify"'
  )
}

async function notedVersions(store: ContractStore): Promise<readonly FactRecord[]> {
  const all: FactRecord[] = []
  for (let after = ''; ;) {
    const page = await store.facts(KIND, after, PAGE)
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return all
    after = last.key
  }
}

interface Noted {
  readonly packageName: string
  readonly packageVersion: string
}

function factOf({ id, packageName, packageVersion }: AnyTemplate): FactRecord {
  const noted: Noted = { packageName, packageVersion }
  return { kind: KIND, key: id, body: JSON.stringify(noted) }
}

function notedIn({ body }: FactRecord): Noted {
  return JSON.parse(body)
}

function nameOf(fact: FactRecord): string {
  const { packageName, packageVersion } = notedIn(fact)
  return `${templateOf({ templateId: fact.key, packageName })} of version ${packageVersion}`
}

/** The newest first: those of a newer program are the last that were written. */
async function hasActive(store: ContractStore, fact: FactRecord): Promise<boolean> {
  const template = templateOf({ templateId: fact.key, packageName: notedIn(fact).packageName })
  const query = { template, order: 'created-desc', limit: PAGE } as const
  let page = await store.active(query)
  for (let sought = 0; sought < MAX_SOUGHT; sought += PAGE) {
    if (page.some(({ contract }) => contract.templateId === fact.key)) return true
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return false
    page = await store.active({
      ...query,
      after: { rank: last.contract.rank, sequence: last.sequence },
    })
  }
  return false
}
