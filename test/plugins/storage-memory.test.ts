// The memory plugin passes the storage suite.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin, { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { storageSuite } from '../../runtime/testing/storage-suite.ts'

const { features } = createMemoryStore()

const report = storageSuite({ test, create: async () => createMemoryStore(), features })

test('the suite has at least 60 checks, and says what it skips', () => {
  assert.ok(report.checks >= 60, `${report.checks} checks`)
  assert.ok(report.skipped.every(({ reason }) => reason !== ''))
})

test('the plugin has its id and takes no options', async () => {
  assert.deepEqual([plugin.kind, plugin.name], ['storage', 'memory'])
  const refused = await plugin.options['~standard'].validate({ file: 'x' })
  assert.match(refused.issues?.[0]?.message ?? '', /file/)
})
