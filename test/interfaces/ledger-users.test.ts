// Users and rights of the ledger interface over HTTP, as a client sees them, on each storage.
// docs/ledger-rules.md, "Users" and "Rights"
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { call, type Answer, type CallOptions } from '../support/http.ts'
import { startService, type Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'

for (const storage of storesFor('users')) {
  describe(`users on ${storage.name}`, () => {
    let service: Service
    let admin: string
    const ask = (request: string, options: CallOptions = {}): Promise<Answer> =>
      call(service.url, request, { token: admin, ...options })
    const readAs = (party: string) => ({ kind: { CanReadAs: { value: { party } } } })
    const create = async (
      id: string,
      rest: object = {},
      rights: readonly object[] = [],
    ): Promise<Answer> => ask('POST /v2/users', { body: { user: { id, ...rest }, rights } })

    before(async () => {
      service = await startService({ config: { storage: await storage.section() } })
      admin = await service.token('participant_admin')
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test('participant_admin exists from the start with ParticipantAdmin', async () => {
      const user = await ask('GET /v2/users/participant_admin')
      assert.deepEqual(user.json, {
        user: {
          id: 'participant_admin',
          primaryParty: '',
          isDeactivated: false,
          identityProviderId: '',
          primaryPartyAuthentication: false,
          metadata: { resourceVersion: '0', annotations: {} },
        },
      })
      const rights = await ask('GET /v2/users/participant_admin/rights')
      assert.deepEqual(rights.json, { rights: [{ kind: { ParticipantAdmin: { value: {} } } }] })
    })

    test('a created user is read back as it was given, with version 0', async () => {
      const created = await create(
        'first',
        { primaryParty: 'p::1220', metadata: { annotations: { 'a.b/team': 'x' } } },
        [readAs('p::1220')],
      )
      assert.equal(created.status, 200, created.text)
      assert.deepEqual((await ask('GET /v2/users/first')).json, created.json)
    })

    test('an id with every allowed character makes its way through the path', async () => {
      const id = "aZ9@^$.!`-#+'~_|:()"
      assert.equal((await create(id)).status, 200)
      const found = await ask(`GET /v2/users/${encodeURIComponent(id)}`)
      assert.equal(found.status, 200)
    })

    test('grants answer only what is new, revokes only what was there', async () => {
      await create('granted')
      const right = (party: string): object => ({ kind: { CanActAs: { value: { party } } } })
      const grant = (rights: object[]): Promise<Answer> =>
        ask('POST /v2/users/granted/rights', { body: { userId: 'granted', rights } })
      assert.deepEqual((await grant([right('a::1'), right('b::1')])).json, {
        newlyGrantedRights: [right('a::1'), right('b::1')],
      })
      assert.deepEqual((await grant([right('b::1'), right('c::1')])).json, {
        newlyGrantedRights: [right('c::1')],
      })
      const revoked = await ask('PATCH /v2/users/granted/rights', {
        body: { userId: 'granted', rights: [right('a::1'), right('z::1')] },
      })
      assert.deepEqual(revoked.json, { newlyRevokedRights: [right('a::1')] })
      assert.deepEqual((await ask('GET /v2/users/granted/rights')).json, {
        rights: [right('b::1'), right('c::1')],
      })
    })

    test('every variant of a right but Empty is granted and listed', async () => {
      await create('every')
      const party = { value: { party: 'p::1' } }
      const nothing = { value: {} }
      const kinds = [
        { CanActAs: party },
        { CanExecuteAs: party },
        { CanExecuteAsAnyParty: nothing },
        { CanReadAs: party },
        { CanReadAsAnyParty: nothing },
        { IdentityProviderAdmin: nothing },
        { ParticipantAdmin: nothing },
      ]
      const rights = kinds.map((kind) => ({ kind }))
      assert.equal(
        (await ask('POST /v2/users/every/rights', { body: { userId: 'every', rights } })).status,
        200,
      )
      assert.deepEqual((await ask('GET /v2/users/every/rights')).json, { rights })
    })

    test('a mask changes what it names and nothing else; the version rises by one', async () => {
      await create(
        'masked',
        { primaryParty: 'p::1', metadata: { annotations: { keep: '1', drop: '2' } } },
        [readAs('p::1')],
      )
      const patched = await ask('PATCH /v2/users/masked', {
        body: {
          user: {
            id: 'masked',
            primaryParty: 'q::1',
            isDeactivated: true,
            metadata: { annotations: { drop: '', add: '3' } },
          },
          updateMask: {
            paths: ['metadata.annotations', 'is_deactivated'],
            unknownFields: { fields: {} },
          },
        },
      })
      assert.deepEqual(patched.json, {
        user: {
          id: 'masked',
          primaryParty: 'p::1',
          isDeactivated: true,
          identityProviderId: '',
          primaryPartyAuthentication: false,
          metadata: { resourceVersion: '1', annotations: { keep: '1', add: '3' } },
        },
      })
    })

    test('naming a field without giving it clears it; naming its parent does not', async () => {
      await create('cleared', { primaryParty: 'p::1', metadata: { annotations: { a: '1' } } }, [
        readAs('p::1'),
      ])
      const update = async (paths: string[]): Promise<unknown> =>
        (
          await ask('PATCH /v2/users/cleared', {
            body: { user: { id: 'cleared' }, updateMask: { paths } },
          })
        ).json
      const metadata = (version: string): object => ({
        resourceVersion: version,
        annotations: { a: '1' },
      })
      const rest = {
        id: 'cleared',
        isDeactivated: false,
        identityProviderId: '',
        primaryPartyAuthentication: false,
      }
      assert.deepEqual(await update(['metadata']), {
        user: { ...rest, primaryParty: 'p::1', metadata: metadata('1') },
      })
      assert.deepEqual(await update(['primaryParty']), {
        user: { ...rest, primaryParty: '', metadata: metadata('2') },
      })
    })

    test('a page walk visits every user once, in byte order', async () => {
      const ids = ['walk-B', 'walk-a', 'walk-Z', 'walk-~', 'walk-1', 'walk-|']
      await Promise.all(ids.map((id) => create(id)))
      const seen: string[] = []
      for (let token = ''; ;) {
        const page = await ask(`GET /v2/users?pageSize=2&pageToken=${encodeURIComponent(token)}`)
        const { users, nextPageToken } = readPage(page.json)
        seen.push(...users)
        if (nextPageToken === '') break
        token = nextPageToken
      }
      assert.deepEqual(seen, [...seen].sort())
      assert.equal(new Set(seen).size, seen.length)
      assert.deepEqual(
        seen.filter((id) => id.startsWith('walk-')),
        [...ids].sort(),
      )
    })

    test('a deleted user is gone, and its token opens nothing', async () => {
      await create('leaver')
      const token = await service.token('leaver')
      assert.equal((await ask('GET /v2/authenticated-user', { token })).status, 200)
      assert.deepEqual((await ask('DELETE /v2/users/leaver')).json, {})
      assert.equal((await ask('GET /v2/users/leaver')).status, 404)
      const refused = await ask('GET /v2/authenticated-user', { token })
      assert.equal(refused.status, 403)
    })

    test('a deactivated user is denied at once', async () => {
      await create('sleeper')
      const token = await service.token('sleeper')
      assert.equal((await ask('GET /v2/authenticated-user', { token })).status, 200)
      const body = {
        user: { id: 'sleeper', isDeactivated: true },
        updateMask: { paths: ['isDeactivated'] },
      }
      assert.equal((await ask('PATCH /v2/users/sleeper', { body })).status, 200)
      assert.equal((await ask('GET /v2/authenticated-user', { token })).status, 403)
    })

    test(
      'the data is there after a restart',
      { skip: storage.durable ? false : 'memory forgets by design' },
      async () => {
        await create('survivor', { metadata: { annotations: { note: 'still here' } } })
        const beforeStop = await ask('GET /v2/users/survivor')
        const exit = await service.stop()
        assert.equal(exit, 0)
        service = await startService({
          dataDir: service.dataDir,
          config: { storage: await reopened(service) },
        })
        assert.deepEqual((await ask('GET /v2/users/survivor')).json, beforeStop.json)
      },
    )

    async function reopened({ dataDir }: Service): Promise<object> {
      const { readFile } = await import('node:fs/promises')
      const config: { storage: object } = JSON.parse(
        await readFile(`${dataDir}/ledgerwright.config.json`, 'utf8'),
      )
      return config.storage
    }
  })
}

function readPage(json: unknown): { users: string[]; nextPageToken: string } {
  assert.ok(
    typeof json === 'object' && json !== null && 'users' in json && Array.isArray(json.users),
  )
  assert.ok('nextPageToken' in json && typeof json.nextPageToken === 'string')
  return {
    users: json.users.map((user: { id: string }) => user.id),
    nextPageToken: json.nextPageToken,
  }
}
