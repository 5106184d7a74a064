// Users and rights of the ledger interface over HTTP, as a client sees them, on each storage.
// docs/ledger-rules.md, "Users" and "Rights"
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { scriptsOf } from '../support/script.ts'
import type { Scripts } from '../support/script.ts'
import { startService, type Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { list, path } from './ledger-kit.ts'

for (const storage of storesFor('users')) {
  describe(`users on ${storage.name}`, () => {
    let service: Service
    let world: Scripts
    /** Lines of requests of an administrator, of a user whose token is known. */
    const run = (text: string) => world.run(text)
    const answered: Scripts['answered'] = (...asked) => world.answered(...asked)
    const start = async (...users: readonly string[]) => {
      const places = { users: '/v2/users', own: '/v2/authenticated-user' }
      const known = world?.known ?? new Map()
      world = await scriptsOf(service, places, 'participant_admin', ...users)
      for (const [name, value] of known) world.known.set(name, value)
    }

    before(async () => {
      service = await startService({ config: { storage: await storage.section() } })
      await start()
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test('participant_admin exists from the start with ParticipantAdmin', () =>
      run(`
        participant_admin GET users/participant_admin == {user: {id: participant_admin,
          primaryParty: '', isDeactivated: false, identityProviderId: '',
          primaryPartyAuthentication: false, metadata: {resourceVersion: '0', annotations: {}}}}
        participant_admin GET users/participant_admin/rights
          == {rights: [{kind: {ParticipantAdmin: {value: {}}}}]}
      `))

    const readAs = "{kind: {CanReadAs: {value: {party: 'p::1'}}}}"

    test('a created user is read back as it was given, with version 0', () =>
      run(`
        made = participant_admin POST users {user: {id: first, primaryParty: 'p::1',
          metadata: {annotations: {a.b/team: x}}}, rights: [${readAs}]}
        participant_admin GET users/first == $made
      `))

    test('an id with every allowed character makes its way through the path', async () => {
      world.known.set('odd', "aZ9@^$.!`-#+'~_|:()")
      await run(`
        participant_admin POST users {user: {id: $odd}, rights: []}
        participant_admin GET users/{id=$odd}
      `)
    })

    test('grants answer only what is new, revokes only what was there', () => {
      const [a, b, c, z] = ['a', 'b', 'c', 'z'].map(
        (name) => `{kind: {CanActAs: {value: {party: '${name}::1'}}}}`,
      )
      return run(`
        participant_admin POST users {user: {id: granted}, rights: []}
        participant_admin POST users/granted/rights {userId: granted, rights: [${a}, ${b}]}
          == {newlyGrantedRights: [${a}, ${b}]}
        participant_admin POST users/granted/rights {userId: granted, rights: [${b}, ${c}]}
          == {newlyGrantedRights: [${c}]}
        participant_admin PATCH users/granted/rights {userId: granted, rights: [${a}, ${z}]}
          == {newlyRevokedRights: [${a}]}
        participant_admin GET users/granted/rights == {rights: [${b}, ${c}]}
      `)
    })

    test('every variant of a right but Empty is granted and listed', () => {
      const party = "{value: {party: 'p::1'}}"
      const rights = `rights: [{kind: {CanActAs: ${party}}}, {kind: {CanExecuteAs: ${party}}},
        {kind: {CanExecuteAsAnyParty: {value: {}}}}, {kind: {CanReadAs: ${party}}},
        {kind: {CanReadAsAnyParty: {value: {}}}}, {kind: {IdentityProviderAdmin: {value: {}}}},
        {kind: {ParticipantAdmin: {value: {}}}}]`
      return run(`
        participant_admin POST users {user: {id: every}, rights: []}
        participant_admin POST users/every/rights {userId: every, ${rights}}
        participant_admin GET users/every/rights == {${rights}}
      `)
    })

    test('a mask changes what it names and nothing else; the version rises by one', () =>
      run(`
        participant_admin POST users {user: {id: masked, primaryParty: 'p::1',
          metadata: {annotations: {keep: '1', drop: '2'}}}, rights: [${readAs}]}
        participant_admin PATCH users/masked {user: {id: masked, primaryParty: 'q::1',
          isDeactivated: true, metadata: {annotations: {drop: '', add: '3'}}},
          updateMask: {paths: [metadata.annotations, is_deactivated], unknownFields: {fields: {}}}}
          == {user: {id: masked, primaryParty: 'p::1', isDeactivated: true,
            identityProviderId: '', primaryPartyAuthentication: false,
            metadata: {resourceVersion: '1', annotations: {keep: '1', add: '3'}}}}
      `))

    test('naming a field without giving it clears it; naming its parent does not', () => {
      const rest = `id: cleared, isDeactivated: false, identityProviderId: '',
        primaryPartyAuthentication: false`
      return run(`
        participant_admin POST users {user: {id: cleared, primaryParty: 'p::1',
          metadata: {annotations: {a: '1'}}}, rights: [${readAs}]}
        participant_admin PATCH users/cleared
          {user: {id: cleared}, updateMask: {paths: [metadata]}} == {user: {${rest},
            primaryParty: 'p::1', metadata: {resourceVersion: '1', annotations: {a: '1'}}}}
        participant_admin PATCH users/cleared
          {user: {id: cleared}, updateMask: {paths: [primaryParty]}} == {user: {${rest},
            primaryParty: '', metadata: {resourceVersion: '2', annotations: {a: '1'}}}}
      `)
    })

    test('a page walk visits every user once, in byte order', async () => {
      const ids = ['walk-B', 'walk-a', 'walk-Z', 'walk-~', 'walk-1', 'walk-|']
      await Promise.all(
        ids.map((id) => run(`participant_admin POST users {user: {id: '${id}'}, rights: []}`)),
      )
      const seen: unknown[] = []
      world.known.set('page', { nextPageToken: '' })
      do {
        await run(
          'page = participant_admin GET users ?{pageSize: 2, pageToken: $page.nextPageToken}',
        )
        seen.push(...list(answered('page', 'users')).map((user) => path(user, 'id')))
      } while (answered('page', 'nextPageToken') !== '')
      assert.deepEqual(seen, [...seen].sort())
      assert.equal(new Set(seen).size, seen.length)
      assert.deepEqual(
        seen.filter((id) => String(id).startsWith('walk-')),
        [...ids].sort(),
      )
    })

    test('a deleted or deactivated user is denied at once', async () => {
      await run(`
        participant_admin POST users {user: {id: leaver}, rights: []}
        participant_admin POST users {user: {id: sleeper}, rights: []}
      `)
      await start('leaver', 'sleeper')
      await run(`
        leaver GET own
        participant_admin DELETE users/leaver == {}
        404 participant_admin GET users/leaver
        403 leaver GET own
        sleeper GET own
        participant_admin PATCH users/sleeper
          {user: {id: sleeper, isDeactivated: true}, updateMask: {paths: [isDeactivated]}}
        403 sleeper GET own
      `)
    })

    test(
      'the data is there after a restart',
      { skip: storage.durable ? false : 'memory forgets by design' },
      async () => {
        await run(`
          participant_admin POST users
            {user: {id: survivor, metadata: {annotations: {note: still here}}}, rights: []}
          survivor = participant_admin GET users/survivor
        `)
        const exit = await service.stop()
        assert.equal(exit, 0)
        service = await startService({
          dataDir: service.dataDir,
          config: { storage: await reopened(service) },
        })
        await start()
        await run('participant_admin GET users/survivor == $survivor')
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
