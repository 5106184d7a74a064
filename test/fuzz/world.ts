// The service under fuzz, in a process of its own: two identity providers, four wallets with coin,
// an administrator for each, and a keeper who mends what the fuzz has broken, so that requests go
// on getting deep.
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { member } from '../../runtime/host/member.ts'
import { ADMIN as ADMIN_PATH, REGISTER, right, startAuthority, WALLET } from '../authority/kit.ts'
import type { Authority } from '../authority/kit.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import type { StorageUnderTest } from '../support/storages.ts'
import { ADMIN, EXECUTOR, KEEPER, PLAIN, WALLETS } from './callers.ts'

export interface World {
  readonly authority: Authority
  readonly port: number
  readonly storage: StorageUnderTest
  /** The section `storage`, as the service has it. */
  readonly section: object
  readonly synchronizer: string
  readonly keysUrl: string
  /** Parties of WALLETS; they change when a wallet was lost. */
  readonly parties: ReadonlyMap<string, string>
  /** Lines of the log with an error. */
  readonly errors: readonly string[]
  /** Gives back to the people what they need. Throws where the service refuses what it must not. */
  mend(): Promise<void>
  /** Resident memory of the service in MiB. */
  memory(): number
  /** Kills the service and starts it again on its data; only where they outlive it. */
  crash(): Promise<void>
  stop(): Promise<void>
}

/** The service's configuration, in its data folder. */
const CONFIG = 'ledgerwright.config.json'
const TAP = '1000'
const MAX_ERRORS = 200
/** Rounds pass in seconds, so that all of them are seen. */
const NETWORK = { isDevNet: true, tickSeconds: 5, traffic: { baseBurstBytes: 1_000_000_000_000 } }

export async function openWorld(storage: StorageUnderTest): Promise<World> {
  const section = await storage.section()
  const more = { network: NETWORK, log: { level: 'error' } }
  const authority = await startAuthority(
    { ...storage, section: async () => section },
    'production',
    more,
  )
  const { service, done } = authority
  const errors = keepErrors(authority)
  await done(ADMIN, 'POST /v2/users', {
    user: { id: KEEPER },
    rights: [right('ParticipantAdmin'), right('CanReadAsAnyParty')],
  })
  await done(ADMIN, 'POST /v2/users', {
    user: { id: EXECUTOR },
    rights: [right('CanExecuteAsAnyParty'), right('CanReadAsAnyParty')],
  })
  for (const name of PLAIN) {
    const [id = '', identityProviderId = ''] = name.split('@')
    await done(ADMIN, 'POST /v2/users', { user: { id, identityProviderId } })
  }
  const connected = await done(KEEPER, 'GET /v2/state/connected-synchronizers')
  const providers = await done(KEEPER, 'GET /v2/idps/p')
  const parties = new Map<string, string>()
  const port = Number(new URL(service.url).port)
  let again: Service | undefined
  const world: World = {
    authority,
    port,
    storage,
    section,
    parties,
    errors,
    synchronizer: String(
      member(member(member(connected, 'connectedSynchronizers'), '0'), 'synchronizerId'),
    ),
    keysUrl: String(member(member(providers, 'identityProviderConfig'), 'jwksUrl')),
    mend: () => mend(authority, parties),
    memory: () =>
      Number(
        execFileSync('ps', ['-o', 'rss=', '-p', String((again ?? service).process.pid)], {
          encoding: 'utf8',
        }),
      ) / 1_024,
    crash: async () => {
      await service.kill()
      const { dataDir } = service
      again = await startService({
        config: JSON.parse(await readFile(join(dataDir, CONFIG), 'utf8')),
        dataDir,
        port,
      })
    },
    stop: async () => {
      await again?.stop()
      await authority.stop()
    },
  }
  await world.mend()
  return world
}

function keepErrors({ service }: Authority): readonly string[] {
  const lines: string[] = []
  let rest = ''
  service.process.stderr?.on('data', (chunk: Buffer) => {
    const all = (rest + chunk.toString()).split('\n')
    rest = all.pop() ?? ''
    lines.push(...all)
    lines.splice(0, lines.length - MAX_ERRORS)
  })
  return lines
}

async function mend(authority: Authority, parties: Map<string, string>): Promise<void> {
  await mendUser(authority, ADMIN, [right('ParticipantAdmin')])
  await mendUser(authority, EXECUTOR, [right('CanExecuteAsAnyParty'), right('CanReadAsAnyParty')])
  await mendProviders(authority)
  await mendUser(
    authority,
    'operator',
    [right('ParticipantAdmin'), right('CanActAs', authority.operator)],
    authority.operator,
  )
  for (const name of WALLETS)
    parties.set(name, name === 'operator' ? authority.operator : await mendWallet(authority, name))
  await authority.ask('operator', `POST /api/validator/v0/wallet/tap`, { amount: TAP })
}

/** The user is there, active, of the default provider, and has these rights. */
async function mendUser(
  { ask }: Authority,
  id: string,
  rights: readonly object[],
  primaryParty?: string,
): Promise<void> {
  const read = await ask(KEEPER, `GET /v2/users/${id}`)
  if (read.status === 404) {
    for (const provider of ['p', 'q']) {
      const move = { userId: id, sourceIdentityProviderId: provider, targetIdentityProviderId: '' }
      await ask(KEEPER, `PATCH /v2/users/${id}/identity-provider-id`, move)
    }
    await ask(KEEPER, 'POST /v2/users', { user: { id } })
  }
  if (rights.length > 0) await ask(KEEPER, `POST /v2/users/${id}/rights`, { userId: id, rights })
  const found = member(read.json, 'user')
  const isFine =
    member(found, 'isDeactivated') !== true &&
    [undefined, member(found, 'primaryParty')].includes(primaryParty)
  if (isFine) return
  const user = { id, isDeactivated: false, ...(primaryParty === undefined ? {} : { primaryParty }) }
  const paths = ['isDeactivated', ...(primaryParty === undefined ? [] : ['primaryParty'])]
  await ask(KEEPER, `PATCH /v2/users/${id}`, { user, updateMask: { paths } })
}

async function mendProviders({ ask }: Authority): Promise<void> {
  for (const id of ['p', 'q']) {
    const identityProviderConfig = {
      identityProviderId: id,
      issuer: `https://${id}.example`,
      jwksUrl: '',
      isDeactivated: false,
    }
    await ask(KEEPER, `PATCH /v2/idps/${id}`, {
      identityProviderConfig,
      updateMask: { paths: ['issuer', 'isDeactivated'] },
    })
    const rights = [right('IdentityProviderAdmin')]
    await ask(KEEPER, `POST /v2/users/admin-${id}/rights`, {
      userId: `admin-${id}`,
      identityProviderId: id,
      rights,
    })
  }
}

/** The user has a wallet with coin and may act for it. */
async function mendWallet(authority: Authority, name: string): Promise<string> {
  const { ask } = authority
  await mendUser(authority, name, [])
  const registered = await ask(name, REGISTER, {})
  const party = String(member(registered.json, 'party_id') ?? '')
  if (party === '') return party
  await ask(KEEPER, `POST /v2/users/${name}/rights`, {
    userId: name,
    rights: [right('CanActAs', party)],
  })
  const balance = await ask(name, `GET ${WALLET}/balance`)
  if (Number(member(balance.json, 'effective_unlocked_qty') ?? '0') < Number(TAP))
    await ask(name, `POST ${WALLET}/tap`, { amount: TAP })
  return party
}

/** Runs again what the operator's own operations may have stopped. */
export async function resumeAutomations({ authority: { ask } }: World): Promise<void> {
  const { json } = await ask('operator', `GET ${ADMIN_PATH}/automations`)
  const all = member(json, 'automations')
  for (const one of Array.isArray(all) ? all : []) {
    if (member(one, 'state') === 'paused')
      await ask('operator', `POST ${ADMIN_PATH}/automations/${String(member(one, 'name'))}/resume`)
  }
}
