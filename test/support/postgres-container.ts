// PostgreSQL in a container, through testcontainers. Where its own image for cleaning up cannot be
// had, as behind a firewall, it is done without: our teardown removes the container, and the next
// run what a killed one has left.
import { request } from 'node:http'
import { hostname } from 'node:os'
import type { ContainerRuntimeClient } from 'testcontainers'

const IMAGE = 'postgres:17-alpine'

/** Says which process of which machine a container is for. */
const OWNER = 'ledgerwright.tests.owner'

export interface StartedContainer {
  readonly url: string
  readonly how: string
  stop(): Promise<void>
}

/** A container to start, and the way to reach it. */
export interface ContainerSpec {
  readonly image: string
  readonly environment: Readonly<Record<string, string>>
  readonly command: string[]
  readonly port: number
  /** A line of its log, and how many of them there are before it is ready. */
  readonly ready: readonly [RegExp, number]
  /** User, and password where there is one, and the database. */
  readonly user: string
  readonly database: string
}

/**
 * Starts PostgreSQL with these arguments of `initdb` and of the server, or answers undefined, with
 * a line on standard error where an engine answers that cannot: an image that is not to be had.
 */
export async function containerIfAny(
  initdb: readonly string[],
  server: readonly string[],
): Promise<StartedContainer | undefined> {
  if (!(await dockerAnswers())) return undefined
  try {
    return await container({
      image: IMAGE,
      environment: { POSTGRES_PASSWORD: 'test', POSTGRES_INITDB_ARGS: initdb.join(' ') },
      command: ['postgres', ...server],
      port: 5_432,
      ready: [/ready to accept connections/, 2],
      user: 'postgres:test',
      database: 'postgres',
    })
  } catch (error) {
    process.stderr.write(`no container of ${IMAGE} for tests: ${firstLine(error)}\n`)
    return undefined
  }
}

/** Starts one, or answers in a line why not. */
export async function containerOrReason(spec: ContainerSpec): Promise<StartedContainer | string> {
  if (!(await dockerAnswers())) return 'no container engine answers'
  try {
    return await container(spec)
  } catch (error) {
    return `${spec.image}: ${firstLine(error)}`
  }
}

async function container(spec: ContainerSpec): Promise<StartedContainer> {
  const { GenericContainer, ImageName, Wait, getContainerRuntimeClient } =
    await import('testcontainers')
  const client = await getContainerRuntimeClient()
  // Before anything else is asked for: without this image there is no point in the others.
  await client.image.pull(ImageName.fromString(spec.image))
  const reaper = await doWithoutReaper(client)
  await removeLeftovers(client)
  const started = await new GenericContainer(spec.image)
    .withLabels({ [OWNER]: `${hostname()}:${process.pid}` })
    .withEnvironment({ ...spec.environment })
    .withExposedPorts(spec.port)
    .withCommand(spec.command)
    .withWaitStrategy(Wait.forLogMessage(...spec.ready))
    .start()
  const address = `${started.getHost()}:${started.getMappedPort(spec.port)}`
  return {
    url: `postgres://${spec.user}@${address}/${spec.database}`,
    how: `testcontainers (${spec.image}, ${reaper})`,
    stop: async () => void (await started.stop({ removeVolumes: true })),
  }
}

/** Switches the reaper off where it cannot be started; says which it is. */
async function doWithoutReaper(client: ContainerRuntimeClient): Promise<string> {
  const { getReaper } = await import('testcontainers')
  try {
    await getReaper(client)
  } catch {
    process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true'
  }
  const isOff = process.env['TESTCONTAINERS_RYUK_DISABLED'] === 'true'
  return isOff ? 'without its reaper' : 'with its reaper'
}

/** Removes what processes of this machine made that have ended. */
async function removeLeftovers({ container: containers }: ContainerRuntimeClient): Promise<void> {
  for (const { Id: id, Labels: labels } of await containers.list()) {
    const [machine, pid] = labels[OWNER]?.split(':') ?? []
    if (machine !== hostname() || isAlive(Number(pid))) continue
    await containers.dockerode.getContainer(id).remove({ force: true, v: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Any other error says that the process is somebody else's.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}

/** Asks the API, because a client may be installed where no daemon runs. */
async function dockerAnswers(): Promise<boolean> {
  const host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock'
  const target = host.startsWith('unix://')
    ? { socketPath: host.slice('unix://'.length) }
    : { host: new URL(host).hostname, port: new URL(host).port || 2375 }
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: 2_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy(new Error('no answer')))
    ping.on('error', () => resolve(false))
    ping.end()
  })
}
