// `deploy/kubernetes` without a cluster: every manifest is what Kubernetes' schemas and types say,
// what one names another one has, and a server gets the time to end that its configuration takes.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import type { IPodTemplateSpec } from 'kubernetes-models/v1/PodTemplateSpec'
import { Service } from 'kubernetes-models/v1/Service'
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { ROOT } from '../support/service.ts'
import { readKustomization, readYaml, untyped } from './manifests.ts'
import type { Typed } from './manifests.ts'

const FOLDER = 'deploy/kubernetes'
const BASE = `${FOLDER}/base`
const OVERLAY = `${FOLDER}/overlays/production`

/** Secrets that docs/deploy.md has an operator make. */
const SECRETS = new Set(['ledgerwright'])

const base = readKustomization(BASE)
const overlay = readKustomization(OVERLAY)
const manifests = base.resources.map((file) => readYaml(join(BASE, file)))
const deployment = one(Deployment.is)
const job = one(Job.is)

/** The only manifest of a kind. */
function one<T>(is: (value: unknown) => value is T): T {
  return only(manifests, is)
}

function only<T>(all: readonly unknown[], is: (value: unknown) => value is T): T {
  const [found, ...more] = all.filter(is)
  assert.ok(found !== undefined && more.length === 0)
  return found
}

const header = z.looseObject({ apiVersion: z.string(), kind: z.string() })

function typed(file: string): Typed {
  const value = readYaml(file)
  return { name: file, value, ...header.parse(value) }
}

const templates: readonly (readonly [string, IPodTemplateSpec | undefined])[] = [
  ['server', deployment.spec?.template],
  ['migration', job.spec?.template],
]

test('every manifest keeps to the schema of its kind', () => {
  const models = [
    new Deployment(deployment),
    new Job(job),
    new NetworkPolicy(one(NetworkPolicy.is)),
    new PodDisruptionBudget(one(PodDisruptionBudget.is)),
    new Service(one(Service.is)),
    new ServiceAccount(one(ServiceAccount.is)),
  ]
  assert.equal(models.length, manifests.length, 'there is a manifest of another kind')
  for (const model of models) model.validate()
})

test('no manifest has a key that its kind does not know, and a misspelled one is found', () => {
  const misspelled = {
    ...typed(`${BASE}/deployment.yaml`),
    name: 'misspelled',
    value: { ...deployment, spec: { ...deployment.spec, replica: 3 } },
  }
  const files = base.resources.map((file) => typed(`${BASE}/${file}`))
  const patches = (overlay.patches ?? []).map(({ path }) => ({
    ...typed(`${OVERLAY}/${path}`),
    isPatch: true,
  }))
  assert.deepEqual(untyped([...files, ...patches, misspelled]), ['misspelled'])
})

test('what pods name is there: accounts, configurations, secrets, volumes and ports', () => {
  const account = one(ServiceAccount.is).metadata?.name
  const configurations = new Set(base.configMapGenerator?.map(({ name }) => name))
  for (const [who, template] of templates) {
    const pod = template?.spec
    assert.equal(pod?.serviceAccountName, account, who)
    const volumes = pod?.volumes ?? []
    for (const { configMap, secret } of volumes) {
      if (configMap?.name !== undefined) assert.ok(configurations.has(configMap.name), who)
      if (secret?.secretName !== undefined) assert.ok(SECRETS.has(secret.secretName), who)
    }
    for (const { image, volumeMounts = [], ports = [], ...container } of pod?.containers ?? []) {
      assert.equal(image, 'ledgerwright', who)
      assert.deepEqual(
        volumeMounts.map(({ name }) => name).sort(),
        volumes.map(({ name }) => name).sort(),
        who,
      )
      const named = new Set(ports.map(({ name }) => name))
      const { startupProbe, livenessProbe, readinessProbe } = container
      for (const probe of [startupProbe, livenessProbe, readinessProbe])
        if (probe !== undefined) assert.ok(named.has(String(probe.httpGet?.port)), who)
    }
  }
})

test('services, budgets and policies choose the servers and their ports', () => {
  const labels = deployment.spec?.template.metadata?.labels ?? {}
  const service = one(Service.is).spec
  const policy = one(NetworkPolicy.is).spec
  const selectors = [
    deployment.spec?.selector.matchLabels,
    service?.selector,
    one(PodDisruptionBudget.is).spec?.selector?.matchLabels,
    policy?.podSelector?.matchLabels,
    ...(deployment.spec?.template.spec?.topologySpreadConstraints ?? []).map(
      ({ labelSelector }) => labelSelector?.matchLabels,
    ),
  ]
  for (const selector of selectors) {
    assert.ok(selector !== undefined && Object.keys(selector).length > 0)
    assert.deepEqual({ ...labels, ...selector }, labels)
  }
  assert.notDeepEqual(job.spec?.template.metadata?.labels, labels, 'the job is no server')
  const ports = new Set(
    deployment.spec?.template.spec?.containers.flatMap(({ ports: own = [] }) =>
      own.map(({ name }) => name),
    ),
  )
  for (const { targetPort } of service?.ports ?? []) assert.ok(ports.has(String(targetPort)))
  for (const { ports: open = [] } of policy?.ingress ?? [])
    for (const { port } of open) assert.ok(ports.has(String(port)))
})

test('the overlay changes what is in the base', () => {
  assert.deepEqual(
    overlay.images?.map(({ name }) => name),
    ['ledgerwright'],
  )
  assert.deepEqual(
    overlay.configMapGenerator?.map(({ name }) => name),
    base.configMapGenerator?.map(({ name }) => name),
  )
  assert.ok(overlay.resources.every((folder) => existsSync(join(ROOT, OVERLAY, folder))))
  const patched = z.looseObject({ kind: z.string(), metadata: z.object({ name: z.string() }) })
  for (const { path } of overlay.patches ?? []) {
    const { kind, metadata } = patched.parse(readYaml(`${OVERLAY}/${path}`))
    assert.deepEqual({ kind, name: metadata.name }, { kind: 'Deployment', name: 'ledgerwright' })
  }
})

const kubectl = spawnSync('kubectl', ['kustomize', '--help'], { stdio: 'ignore' }).status === 0

test(
  'Kustomize itself puts the overlay together: its namespace, image and configuration',
  { skip: kubectl ? false : 'no kubectl on this machine' },
  () => {
    const text = execFileSync('kubectl', ['kustomize', join(ROOT, OVERLAY)], { encoding: 'utf8' })
    const made: readonly unknown[] = parseAllDocuments(text).map((document) => document.toJS())
    assert.equal(made.length, manifests.length + 1)
    const server = only(made, Deployment.is)
    assert.equal(server.metadata?.namespace, overlay.namespace)
    assert.equal(server.spec?.replicas, 4)
    assert.equal(
      server.spec?.template.spec?.containers[0]?.image,
      'registry.example/ledgerwright:0.1.0',
    )
    const named = z.object({ metadata: z.object({ name: z.string() }) })
    const names = made.map((manifest) => named.parse(manifest).metadata.name)
    const volume = server.spec?.template.spec?.volumes?.find(({ name }) => name === 'configuration')
    assert.ok(names.includes(volume?.configMap?.name ?? ''), 'the generated name is used')
  },
)

test('pods run as nobody in particular, on files that nobody can change', () => {
  for (const [who, template] of templates) {
    assert.equal(template?.spec?.securityContext?.runAsNonRoot, true, who)
    assert.equal(template?.spec?.automountServiceAccountToken, false, who)
    for (const { securityContext, resources } of template?.spec?.containers ?? []) {
      assert.equal(securityContext?.readOnlyRootFilesystem, true, who)
      assert.equal(securityContext?.allowPrivilegeEscalation, false, who)
      assert.deepEqual(securityContext?.capabilities, { drop: ['ALL'] }, who)
      assert.ok(resources?.limits?.['memory'] !== undefined, who)
    }
  }
})

test('a server that is told to end has the time to answer what is under way', () => {
  const pod = deployment.spec?.template.spec
  const [container] = pod?.containers ?? []
  const [, pause] = /^setTimeout\(\(\) => \{\}, (\d+)\)$/u.exec(
    container?.lifecycle?.preStop?.exec?.command?.at(-1) ?? '',
  ) ?? ['', 'none']
  const configuration = z.looseObject({ server: z.looseObject({ drainMs: z.int() }) })
  for (const folder of [BASE, OVERLAY]) {
    const { server } = configuration.parse(readYaml(`${folder}/ledgerwright.config.yaml`))
    const graceMs = (pod?.terminationGracePeriodSeconds ?? 0) * 1_000
    assert.ok(Number(pause) + server.drainMs + 5_000 <= graceMs, folder)
  }
})
