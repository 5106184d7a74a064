// The released packages of the public network as an app's developer has them: files to upload, and
// what their templates are called. The archives are no part of the repository.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { dar } from '../support/dar-writer.ts'
import type { ArchiveFile } from '../support/dar-writer.ts'
import { call } from '../support/http.ts'
import { ROOT } from '../support/service.ts'
import type { StorageUnderTest } from '../support/storages.ts'
import { FOLDER, released, releasedModule, skip as withoutArchives } from './released.ts'
import { list, path, startLedger } from '../interfaces/ledger-kit.ts'
import type { LedgerClient } from '../interfaces/ledger-kit.ts'

if (withoutArchives !== false) console.log(`skipped: ${withoutArchives}`)

/** The bytes of a released archive. */
export function archive(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(FOLDER, `${name}.dar`)))
}

/** Settings under which released archives are taken, in our own words. */
export function archiveSettings() {
  const { basicLibraries, stablePackageIds } = knownArchives()
  const darManifestFormat = path(presetSettings(), 'wireNames', 'darManifestFormat')
  return {
    ledger: { basicLibraries, stablePackageIds: [...stablePackageIds] },
    wireNames: { darManifestFormat },
  }
}

/** Packages that the preset knows. */
export function knownArchives() {
  const names = (name: string) => list(path(presetSettings(), 'ledger', name)).map(String)
  return {
    basicLibraries: names('basicLibraries'),
    stablePackageIds: new Set(names('stablePackageIds')),
  }
}

function presetSettings(): unknown {
  const preset: unknown = parse(readFileSync(join(ROOT, 'spec/presets/network-0.6.yaml'), 'utf8'))
  return path(preset, 'configuration')
}

/** A ledger to which archives can be uploaded. */
export function startForArchives(storage: StorageUnderTest): Promise<LedgerClient> {
  return startLedger(storage, archiveSettings())
}

/** Uploads a released archive and vets it. */
export async function upload({ service, admin }: LedgerClient, name: string): Promise<void> {
  const answer = await call(service.url, 'POST /v2/packages', {
    token: admin,
    raw: archive(name),
    headers: { 'content-type': 'application/octet-stream' },
  })
  assert.equal(answer.status, 200, `${name}: ${answer.text}`)
}

/** Uploads a package of ours and vets it. */
export async function uploadOwn(
  { service, admin }: LedgerClient,
  main: ArchiveFile,
): Promise<void> {
  const Format = String(archiveSettings().wireNames.darManifestFormat)
  const answer = await call(service.url, 'POST /v2/packages', {
    token: admin,
    raw: new Uint8Array(dar({ main, attributes: { Format } })),
    headers: { 'content-type': 'application/octet-stream' },
  })
  assert.equal(answer.status, 200, answer.text)
}

const api = (name: string, module: string) =>
  `#${released(`api-token-${name}-v1`)}:${releasedModule(`Api.Token.${module}V1`)}`

/** Names of the interfaces of the token standard. */
export const interfaces = {
  holding: `${api('holding', 'Holding')}:Holding`,
  transferFactory: `${api('transfer-instruction', 'TransferInstruction')}:TransferFactory`,
  transferInstruction: `${api('transfer-instruction', 'TransferInstruction')}:TransferInstruction`,
  allocationFactory: `${api('allocation-instruction', 'AllocationInstruction')}:AllocationFactory`,
  allocationInstruction: `${api('allocation-instruction', 'AllocationInstruction')}:AllocationInstruction`,
  allocation: `${api('allocation', 'Allocation')}:Allocation`,
  allocationRequest: `${api('allocation-request', 'AllocationRequest')}:AllocationRequest`,
}

/** A template of the uploaded token. */
export const tokenTemplate = (name: string): string =>
  `#${released('test-token-v1')}:${releasedModule(`Testing.Tokens.TestTokenV1:${name}`)}`

/** A template of the uploaded trading app. */
export const appTemplate = (name: string): string =>
  `#${released('token-test-trading-app')}:${releasedModule(`Testing.Apps.TradingApp:${name}`)}`

export const NO_META = { values: {} }

/** Arguments of a choice that needs nothing else. */
export const EXTRA = { context: { values: {} }, meta: NO_META }

/** The command that creates a contract. */
export const create = (templateId: string, createArguments: object): object => ({
  CreateCommand: { templateId, createArguments },
})

/** Payload of the uploaded token. */
export const token = (owner: string, admin: string, amount: string): object => ({
  holding: {
    owner,
    instrumentId: { admin, id: 'Gold' },
    amount,
    lock: null,
    meta: NO_META,
  },
})
