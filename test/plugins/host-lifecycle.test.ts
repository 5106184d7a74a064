// Plugins from check to stop: options before anything starts, order, limits, failures, health.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { z } from 'zod'
import type { AuthService } from '../../runtime/index.ts'
import { createHost } from '../../runtime/host/host.ts'
import { startOrder } from '../../runtime/host/order.ts'
import { formatProblem } from '../../runtime/host/problem.ts'
import { whyNotPlugin } from '../../runtime/host/shape.ts'
import { definePlugin } from '../../runtime/index.ts'
import {
  automationEntry,
  extensionEntry,
  HandScheduler,
  hostOptions,
  hostWith,
  memory,
  none,
  recorded,
  schedulerEntry,
} from './fixtures/host-kit.ts'

const hang = (): Promise<void> => new Promise(() => {})

async function problemsOf(...args: Parameters<typeof hostOptions>): Promise<readonly string[]> {
  const created = await createHost(hostOptions(...args))
  return created.ok ? [] : created.problems.map(formatProblem)
}

describe('checks before anything starts', () => {
  it("reports every plugin's options with place, reason, value, nearest key and plugin, and sets nothing up", async () => {
    let setUps = 0
    const options = z.strictObject({
      everyMs: z.int(),
      nested: z.strictObject({ limit: z.number() }).optional(),
    })
    const plugin = definePlugin({
      kind: 'extension',
      name: 'pages',
      options,
      setup: () => ((setUps += 1), {}),
    })
    const lines = await problemsOf([
      memory,
      { path: 'extensions.pages', plugin, options: { evryMs: 5, nested: { limt: 1 } } },
    ])
    assert.deepEqual(lines.toSorted(), [
      'extensions.pages.everyMs: expected number, received nothing (plugin extension/pages)',
      'extensions.pages.evryMs: unknown key; did you mean "everyMs"? (plugin extension/pages)',
      'extensions.pages.nested.limit: expected number, received nothing (plugin extension/pages)',
      'extensions.pages.nested.limt: unknown key; did you mean "limit"? (plugin extension/pages)',
    ])
    assert.equal(setUps, 0)
  })

  it('lets a plugin judge options by the profile and the address, and tells of it like of the others', async () => {
    const plugin = definePlugin({
      kind: 'extension',
      name: 'pages',
      options: z.strictObject({ urls: z.array(z.string()) }),
      check: ({ urls }, { profile, listen }) =>
        urls.flatMap((url, at) =>
          url.startsWith('http:')
            ? [{ path: ['urls', at], message: `refused in ${profile} on ${listen.host}` }]
            : [],
        ),
      setup: () => ({}),
    })
    const entry = { path: 'x', plugin, options: { urls: ['https://a', 'http://b'] } }
    assert.deepEqual(await problemsOf([memory, entry]), [
      'x.urls[1]: refused in dev on 127.0.0.1 (plugin extension/pages)',
    ])
    const good = { ...entry, options: { urls: ['https://a'] } }
    assert.deepEqual(await problemsOf([memory, good]), [])
    const broken = {
      ...plugin,
      check: () => {
        throw new Error('no idea')
      },
    }
    assert.deepEqual(await problemsOf([memory, { ...good, plugin: broken }]), [
      "x: the plugin's check failed: no idea (plugin extension/pages)",
    ])
  })

  it('says of a choice between forms what each lacks', async () => {
    const options = z.union([
      z.strictObject({ url: z.string() }),
      z.strictObject({ host: z.string() }),
    ])
    const plugin = definePlugin({ kind: 'extension', name: 'either', options, setup: () => ({}) })
    const lines = await problemsOf([memory, { path: 'x', plugin, options: { port: 1 } }])
    assert.deepEqual(lines, [
      'x: url: expected string, or host: expected string, received an object (plugin extension/either)',
    ])
  })

  it('takes any Standard Schema, also one that answers later or throws', async () => {
    const schema = (validate: () => unknown) => ({
      '~standard': {
        version: 1 as const,
        vendor: 'ours',
        validate: async () => ({ value: validate() }),
      },
    })
    const seen: unknown[] = []
    const fine = definePlugin({
      kind: 'extension',
      name: 'fine',
      options: schema(() => 42),
      setup: (_, given) => (seen.push(given), {}),
    })
    const host = await hostWith([memory, { path: 'x', plugin: fine, options: {} }])
    await host.start()
    await host.stop()
    assert.deepEqual(seen, [42])
    const broken = definePlugin({
      kind: 'extension',
      name: 'b',
      options: schema(() => {
        throw new Error('boom')
      }),
      setup: () => ({}),
    })
    assert.match(
      (await problemsOf([memory, { path: 'x', plugin: broken, options: {} }]))[0] ?? '',
      /validator failed: boom/,
    )
  })

  it('wants exactly one storage, a scheduler for automations, and names used once', async () => {
    const twice = [memory, extensionEntry('a', {}), extensionEntry('a', {})]
    assert.deepEqual(await problemsOf(twice), ['extensions.a: extension/a is named twice'])
    assert.deepEqual(await problemsOf([]), ['storage: needs exactly one plugin, has 0'])
    const idle = automationEntry('idle', { trigger: { everyMs: 1 }, run: async () => {} })
    assert.deepEqual(await problemsOf([memory, idle]), ['scheduler: automations need a scheduler'])
  })

  it('names the path of a cycle and a need that is not there', async () => {
    const cycle = [
      memory,
      extensionEntry('a', {}, ['extension/b']),
      extensionEntry('b', {}, ['extension/c']),
      extensionEntry('c', {}, ['extension/a']),
    ]
    assert.match(
      (await problemsOf(cycle))[0] ?? '',
      /wait for each other: extension\/a -> extension\/b -> extension\/c -> extension\/a/,
    )
    const missing = await problemsOf([memory, extensionEntry('a', {}, ['storage/memoryy'])])
    assert.match(
      missing[0] ?? '',
      /must start after "storage\/memoryy", which is not configured; did you mean "storage\/memory"/,
    )
  })

  it('says why a default export is not a plugin', () => {
    assert.match(whyNotPlugin(undefined) ?? '', /definePlugin/)
    assert.match(whyNotPlugin({ kind: 'stoarge' }) ?? '', /its kind is "stoarge"/)
    assert.match(whyNotPlugin({ kind: 'storage', name: 'A b' }) ?? '', /its name is "A b"/)
    assert.match(whyNotPlugin({ kind: 'storage', name: 'a', options: {} }) ?? '', /Standard Schema/)
    assert.match(whyNotPlugin({ kind: 'storage', name: 'a', options: none }) ?? '', /no setup/)
    assert.equal(whyNotPlugin(memory.plugin), undefined)
  })
})

describe('order', () => {
  it("starts kind by kind whatever the configuration's order, and stops in reverse", async () => {
    const journal: string[] = []
    const kinds = ['extension', 'automation', 'scheduler', 'auth', 'storage'] as const
    const host = await hostWith(kinds.map((kind) => recorded(kind, kind, journal)))
    const result = await host.start()
    assert.equal(result.ok, true)
    assert.deepEqual(
      result.report.map(({ plugin, outcome }) => `${plugin} ${outcome}`),
      [
        'storage/storage started',
        'auth/auth started',
        'scheduler/scheduler started',
        'automation/automation started',
        'extension/extension started',
      ],
    )
    await host.stop()
    const order = ['storage', 'auth', 'scheduler', 'automation', 'extension']
    assert.deepEqual(journal, [
      ...order.map((name) => `start ${name}`),
      ...order.toReversed().map((name) => `stop ${name}`),
    ])
  })

  it('lets a storage wait for an extension that it needs', async () => {
    const journal: string[] = []
    const host = await hostWith([
      recorded('storage', 'db', journal, ['extension/vault']),
      recorded('extension', 'vault', journal),
    ])
    await host.start()
    await host.stop()
    assert.deepEqual(journal, ['start vault', 'start db', 'stop db', 'stop vault'])
  })

  it('puts every plugin after its needs, for any graph without a cycle', () => {
    const graph = fc.array(fc.array(fc.nat(19), { maxLength: 4 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(graph, (needs) => {
        const items = needs
          .map((after, index) => ({
            id: `x/${index}`,
            kind: 'extension' as const,
            path: '',
            after: after.filter((other) => other < index).map((other) => `x/${other}`),
          }))
          .toReversed()
        const sorted = startOrder(items)
        assert.ok(sorted.ok)
        const place = new Map(sorted.order.map((item, index) => [item.id, index]))
        assert.equal(place.size, items.length)
        for (const item of items)
          for (const id of item.after) assert.ok((place.get(id) ?? 99) < (place.get(item.id) ?? -1))
      }),
    )
  })
})

describe('start and stop', () => {
  it('stops what had started when an extension fails, and says who and why', async () => {
    const journal: string[] = []
    const failing = extensionEntry('bad', {
      start: () => {
        throw new Error('no luck')
      },
      stop: () => void journal.push('stop bad'),
    })
    const host = await hostWith([recorded('storage', 'db', journal), failing])
    const result = await host.start()
    assert.deepEqual(result.ok ? {} : [result.plugin, result.reason], ['extension/bad', 'no luck'])
    assert.deepEqual(journal, ['start db', 'stop bad', 'stop db'])
  })

  it('goes on without an automation that fails, and without what needs it', async () => {
    const journal: string[] = []
    const failing = automationEntry('bad', {
      trigger: { everyMs: 1 },
      run: async () => {},
      start: () => {
        throw new Error('no luck')
      },
    })
    const needs = automationEntry('needs', { trigger: { everyMs: 1 }, run: async () => {} }, [
      'automation/bad',
    ])
    const host = await hostWith([
      memory,
      schedulerEntry(new HandScheduler()),
      failing,
      needs,
      recorded('extension', 'page', journal),
    ])
    const result = await host.start()
    assert.deepEqual(
      result.report.map(({ outcome }) => outcome),
      ['started', 'started', 'failed', 'skipped', 'started'],
    )
    const health = await host.health()
    assert.equal(health.status, 'degraded')
    assert.deepEqual(
      health.plugins.find(({ plugin }) => plugin === 'automation/bad')?.detail,
      'no luck',
    )
    assert.deepEqual(journal, ['start page'])
    await host.stop()
  })

  it('gives up on a plugin that hangs at the start, and closes what it opens later', async () => {
    let opened = false
    let closed = false
    const slow = extensionEntry('slow', {
      start: async () => {
        await wait(60)
        opened = true
      },
      stop: () => {
        closed = true
      },
    })
    const host = await hostWith([memory, slow], { limits: { startMs: 20 } })
    const result = await host.start()
    assert.deepEqual(result.ok ? {} : [result.plugin, result.reason], [
      'extension/slow',
      'took longer than 20 ms',
    ])
    await wait(80)
    assert.deepEqual([opened, closed], [true, true])
  })

  it('stops the others when one hangs at the stop, within the limits', async () => {
    const journal: string[] = []
    const stuck = [1, 2, 3].map((n) => extensionEntry(`stuck-${n}`, { stop: hang }))
    const host = await hostWith([recorded('storage', 'db', journal), ...stuck], {
      limits: { stopMs: 30, stopTotalMs: 90 },
    })
    await host.start()
    const began = performance.now()
    const stops = await host.stop()
    assert.ok(performance.now() - began < 4_000)
    assert.equal(stops.filter(({ error }) => error !== undefined).length >= 3, true)
    assert.deepEqual([journal.at(-1), stops.at(-1)?.error], ['stop db', undefined])
    assert.equal(await host.stop(), stops)
  })

  it('refuses what setup returns when it lacks what its kind needs', async () => {
    const service: AuthService = { authenticate: () => ({ kind: 'not-mine' }) }
    Reflect.deleteProperty(service, 'authenticate')
    const plugin = definePlugin({
      kind: 'auth',
      name: 'empty',
      options: none,
      setup: () => service,
    })
    const host = await hostWith([memory, { path: 'auth[0]', plugin, options: {} }])
    const result = await host.start()
    assert.equal(
      result.ok ? '' : result.reason,
      'setup returned no authenticate, which every auth plugin needs',
    )
  })
})

describe('health', () => {
  it('asks all plugins at once, at most a limit long, and keeps the answer', async () => {
    let asked = 0
    const slow = [1, 2, 3].map((n) =>
      extensionEntry(`slow-${n}`, {
        health: async () => {
          asked += 1
          await wait(60_000, undefined, { ref: false })
          return { status: 'up' }
        },
      }),
    )
    const ill = extensionEntry('ill', { health: () => ({ status: 'degraded', detail: 'cough' }) })
    const host = await hostWith([memory, ...slow, ill], { limits: { healthMs: 40 } })
    await host.start()
    const began = performance.now()
    const [health] = await Promise.all([host.health(), host.health()])
    assert.ok(performance.now() - began < 20_000)
    assert.equal(asked, 3)
    assert.equal(health.status, 'degraded')
    assert.equal(health.plugins.find(({ plugin }) => plugin === 'extension/ill')?.detail, 'cough')
    assert.match(
      health.plugins.find(({ plugin }) => plugin === 'extension/slow-1')?.detail ?? '',
      /longer than 40 ms/,
    )
    await host.stop()
  })

  it('is down when the storage does not answer', async () => {
    const host = await hostWith([memory], { limits: { healthKeepMs: 0 } })
    await host.start()
    assert.equal((await host.health()).status, 'up')
    await host.services.storage?.store.close()
    const health = await host.health()
    assert.deepEqual([health.status, health.plugins[0]?.status], ['down', 'down'])
    await host.stop()
  })
})
