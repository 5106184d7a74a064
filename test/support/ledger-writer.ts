// A client process: uploads, patches, grants, allocations and provider updates under way at once,
// each lane without pause. Writes a JSON line for each DAR that it begins, each change that was
// acknowledged, and one at the end, when the service is gone.
import { randomBytes } from 'node:crypto'
import { archive, dar, number, UNIT, type ArchiveFile, type ModuleSpec } from './dar-writer.ts'
import { call, type Answer } from './http.ts'

export type LedgerChange =
  | { readonly kind: 'dar'; readonly packageIds: readonly string[] }
  | {
      readonly kind: 'patch'
      readonly user: string
      readonly version: number
      readonly step: number
    }
  | { readonly kind: 'grant'; readonly user: string; readonly parties: readonly string[] }
  | { readonly kind: 'party'; readonly user: string; readonly party: string }
  | { readonly kind: 'provider'; readonly provider: string; readonly step: number }

export type LedgerLine =
  | { readonly state: 'begun' | 'acknowledged'; readonly change: LedgerChange }
  | { readonly state: 'refused'; readonly answer: string }
  /** How many requests of each kind had no answer when the service was gone. */
  | { readonly state: 'gone'; readonly inFlight: Readonly<Record<string, number>> }

const LARGE_BYTES = 3_000_000
/** More than a round has changes, so that steps grow from round to round. */
const ROUND_STEPS = 1_000_000
const NAMESPACE = `1220${'ab'.repeat(32)}`

const [url = '', token = '', round = '0'] = process.argv.slice(2)
const inFlight: Record<LedgerChange['kind'], number> = {
  dar: 0,
  patch: 0,
  grant: 0,
  party: 0,
  provider: 0,
}
/** What the code of other packages names. */
const CALLED: ModuleSpec = {
  name: 'Other',
  values: [{ name: 'value', type: UNIT, body: () => number(5, 0) }],
}
const library = archive({
  name: `library-${round}`,
  version: '1.0.0',
  modules: [CALLED],
  ballast: [randomBytes(300_000)],
})
let gone = false

function print(line: LedgerLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** Makes one change after the other; what ends without an answer stays counted as in flight. */
async function lane(
  change: (step: number) => readonly [LedgerChange['kind'], Promise<LedgerChange | undefined>],
): Promise<void> {
  for (let step = Number(round) * ROUND_STEPS + 1; !gone; step += 1) {
    const [kind, sent] = change(step)
    inFlight[kind] += 1
    try {
      const done = await sent
      inFlight[kind] -= 1
      if (done) print({ state: 'acknowledged', change: done })
    } catch {
      gone = true
    }
  }
}

async function acknowledged(answer: Promise<Answer>): Promise<Answer | undefined> {
  const { status, text } = await answer
  if (status === 200) return answer
  print({ state: 'refused', answer: `${status} ${text}` })
  return undefined
}

async function upload(
  main: ArchiveFile,
  others: readonly ArchiveFile[] = [],
): Promise<LedgerChange | undefined> {
  const change = {
    kind: 'dar',
    packageIds: [main, ...others].map(({ packageId }) => packageId),
  } as const
  print({ state: 'begun', change })
  const raw = new Uint8Array(dar({ main, others, stored: true }))
  const headers = { 'content-type': 'application/octet-stream' }
  return (await acknowledged(call(url, 'POST /v2/dars', { token, raw, headers }))) && change
}

function small(step: number): Promise<LedgerChange | undefined> {
  return upload(
    archive({
      name: `small-${step}`,
      version: '1.0.0',
      modules: [{ name: 'Main' }],
      ballast: [randomBytes(1_000)],
    }),
  )
}

/** Six packages, one of which other uploads bring along at the same time. */
function several(step: number, lane: string): Promise<LedgerChange | undefined> {
  const parts = ['a', 'b', 'c', 'd'].map((part) =>
    archive({
      name: `part-${lane}-${part}-${step}`,
      version: '1.0.0',
      modules: [CALLED],
      ballast: [randomBytes(50_000)],
    }),
  )
  const others = [...parts, library]
  const calls = others.map(({ packageId }) => packageId)
  return upload(
    archive({
      name: `several-${lane}-${step}`,
      version: '1.0.0',
      modules: [{ name: 'Main' }],
      calls,
    }),
    others,
  )
}

function large(step: number): Promise<LedgerChange | undefined> {
  const ballast = [randomBytes(LARGE_BYTES)]
  const main = archive({
    name: `large-${step}`,
    version: '1.0.0',
    modules: [{ name: 'Main' }],
    calls: [library.packageId],
    ballast,
  })
  return upload(main, [library])
}

async function patch(user: string, step: number): Promise<LedgerChange | undefined> {
  const metadata = { annotations: { step: String(step), payload: String(step).repeat(50) } }
  const body = { user: { id: user, metadata }, updateMask: { paths: ['metadata.annotations'] } }
  const answer = await acknowledged(call(url, `PATCH /v2/users/${user}`, { token, body }))
  if (answer === undefined) return undefined
  const patched: { user: { metadata: { resourceVersion: string } } } = JSON.parse(answer.text)
  return { kind: 'patch', user, step, version: Number(patched.user.metadata.resourceVersion) }
}

async function grant(user: string, step: number): Promise<LedgerChange | undefined> {
  const parties = ['a', 'b', 'c'].map((part) => `granted-${step}-${part}::${NAMESPACE}`)
  const rights = parties.map((party) => ({ kind: { CanReadAs: { value: { party } } } }))
  const body = { userId: user, rights, identityProviderId: '' }
  return (
    (await acknowledged(call(url, `POST /v2/users/${user}/rights`, { token, body }))) && {
      kind: 'grant',
      user,
      parties,
    }
  )
}

async function allocate(user: string, step: number): Promise<LedgerChange | undefined> {
  const body = { partyIdHint: `owned-${step}`, userId: user }
  const answer = await acknowledged(call(url, 'POST /v2/parties', { token, body }))
  if (answer === undefined) return undefined
  const { partyDetails }: { partyDetails: { party: string } } = JSON.parse(answer.text)
  return { kind: 'party', user, party: partyDetails.party }
}

function providerBody(step: number): object {
  return {
    identityProviderId: 'keys',
    issuer: 'https://keys.example',
    jwksUrl: `https://keys.example/${step}`,
    audience: `audience-${step}`,
  }
}

async function updateProvider(step: number): Promise<LedgerChange | undefined> {
  const body = {
    identityProviderConfig: providerBody(step),
    updateMask: { paths: ['jwksUrl', 'audience'] },
  }
  return (
    (await acknowledged(call(url, 'PATCH /v2/idps/keys', { token, body }))) && {
      kind: 'provider',
      provider: 'keys',
      step,
    }
  )
}

/**
 * Users of this round, and what all rounds share; the latter are there already from the second
 * round on.
 */
async function prepare(): Promise<void> {
  for (const id of [`reader-${round}`, `owner-${round}`, 'patched-0', 'patched-1']) {
    await call(url, 'POST /v2/users', { token, body: { user: { id } } })
  }
  await call(url, 'POST /v2/idps', { token, body: { identityProviderConfig: providerBody(0) } })
}

await prepare()
await Promise.all([
  lane((step) => ['dar', small(step)]),
  lane((step) => ['dar', several(step, 'left')]),
  lane((step) => ['dar', several(step, 'right')]),
  lane((step) => ['dar', large(step)]),
  lane((step) => ['patch', patch('patched-0', step)]),
  lane((step) => ['patch', patch('patched-1', step)]),
  lane((step) => ['grant', grant(`reader-${round}`, step)]),
  lane((step) => ['party', allocate(`owner-${round}`, step)]),
  lane((step) => ['provider', updateProvider(step)]),
])
print({ state: 'gone', inFlight })
