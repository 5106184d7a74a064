// Puts the configuration together: defaults < file < environment < flags. Every value knows where
// it came from, unknown keys are refused, and the result is frozen. Plugins' options are checked
// later, by the host.
import { dirname, resolve } from 'node:path'
import type { ConfigProblem } from '../problem.ts'
import type { ConfigValues, DefaultPlugins, Profile } from './schema.ts'
import type { Layer, Layered } from './layers.ts'
import { member } from '../member.ts'
import { checkOptions } from '../options.ts'
import { sectionOf } from '../problem.ts'
import { configSchema, defaultsOf } from './schema.ts'
import { environmentLayers } from './environment.ts'
import { isTree, layOver, originOf } from './layers.ts'
import { readConfigFile } from './file.ts'
import { LOCALNET } from './localnet.ts'
import { nodeProblems } from './node-sections.ts'
import { revealSecrets, soundsSecret } from './secrets.ts'
import { vocabularyFile, vocabularySettings } from './vocabulary.ts'

export interface ConfigSources {
  /**
   * The folder in which the file is looked for, and the start of relative paths of flags and
   * environment.
   */
  readonly folder: string
  /** The file that `--config` names. */
  readonly file?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** One layer a flag, lowest first. */
  readonly flags: readonly Layer[]
  /** Plugins that a profile has where nothing else is said; none when absent. */
  readonly plugins?: (profile: Profile) => DefaultPlugins
  /** Folder of the word maps that ship with the product. */
  readonly presets?: string | undefined
}

export interface Configuration {
  readonly values: ConfigValues
  /** The configuration file, absolute; undefined when there is none. */
  readonly file: string | undefined
  /** The folder for third-party plugins and relative files of the configuration. */
  readonly folder: string
  readonly origins: ReadonlyMap<string, string>
  /** Paths of values that came from secret references. */
  readonly secrets: ReadonlySet<string>
  /** Files of such references, absolute, by path. */
  readonly secretFiles: ReadonlyMap<string, string>
  /** The word map's file, absolute, there or not; undefined where none is asked for. */
  readonly vocabularyFile: string | undefined
}

export type ConfigResult =
  | { readonly ok: true; readonly config: Configuration }
  | {
      readonly ok: false
      readonly problems: readonly ConfigProblem[]
      /**
       * The configuration without the sections that have these problems, so that the others can be
       * checked.
       */
      readonly rest?: Configuration
    }

const NO_PLUGINS: DefaultPlugins = { automations: [], extensions: [] }

/** Reads, merges and checks the whole configuration. Starts nothing. */
export async function loadConfiguration(sources: ConfigSources): Promise<ConfigResult> {
  const file = await readConfigFile(sources.folder, sources.file)
  if (!file.ok) return { ok: false, problems: [{ path: '', message: file.message }] }
  const folder = file.path === undefined ? sources.folder : dirname(file.path)
  const given: Layer[] = [{ origin: file.path ?? 'default', values: file.values }]
  const upper = (known: unknown): readonly Layer[] => [
    ...environmentLayers(sources.env, known),
    ...sources.flags,
  ]
  const named = layOver([...given, ...upper(file.values)]).values
  const preset: readonly Layer[] = isLocalnet(named) ? [LOCALNET_LAYER] : []
  const profile = profileOf(named)
  const defaults = defaultsOf(profile, sources.plugins?.(profile) ?? NO_PLUGINS)
  const lower: Layer[] = [{ origin: 'default', values: defaults }, ...preset, ...given]
  const words = wordMap(layOver([...lower, ...upper(layOver(lower).values)]), sources, file.path)
  const settings = [...lower.slice(0, 1), ...preset, ...(await vocabularySettings(words)), ...given]
  const layered = layOver([
    ...settings,
    ...upper(layOver(settings).values),
    ...(preset.length === 0 ? [] : [DEV_LAYER]),
  ])
  const revealed = revealSecrets(layered.values, { env: sources.env, folder })
  const checked = await checkOptions(configSchema, revealed.values, '')
  const problems = [
    ...revealed.problems,
    ...(checked.ok ? await problemsOf(checked.value) : checked.problems),
  ]
  const { origins } = layered
  const { secrets, files: secretFiles } = revealed
  const base = origins.get('data') === file.path ? folder : sources.folder
  const configurationOf = (value: ConfigValues): Configuration => {
    const values = freeze({ ...value, data: resolve(base, value.data) })
    const found = { origins, secrets, secretFiles, vocabularyFile: words }
    return { values, file: file.path, folder, ...found }
  }
  if (checked.ok && problems.length === 0)
    return { ok: true, config: configurationOf(checked.value) }
  const sound = { ...defaults, ...withoutSections(revealed.values, problems) }
  const rest = await checkOptions(configSchema, sound, '')
  return {
    ok: false,
    problems: explainAll(problems, { origins, secrets }),
    ...(rest.ok ? { rest: configurationOf(rest.value) } : {}),
  }
}

/** Relative paths start where those of the same place start: at the file, else at the folder. */
function wordMap(
  { values, origins }: Pick<Layered, 'values' | 'origins'>,
  { folder, presets }: ConfigSources,
  file: string | undefined,
): string | undefined {
  const isInFile = file !== undefined && origins.get('vocabulary.file') === file
  const base = isInFile ? dirname(file) : folder
  return vocabularyFile(member(values, 'vocabulary'), { presets, base })
}

function withoutSections(values: unknown, problems: readonly ConfigProblem[]): object {
  if (!isTree(values)) return {}
  const wrong = new Set(problems.map(sectionOf))
  return Object.fromEntries(Object.entries(values).filter(([section]) => !wrong.has(section)))
}

/**
 * A misspelt profile is reported by the check of the whole; until then the stricter defaults hold.
 */
function profileOf(values: unknown): Profile {
  const profile = member(values, 'profile')
  return profile === undefined || profile === 'dev' || isLocalnet(values) ? 'dev' : 'production'
}

const LOCALNET_LAYER: Layer = { origin: 'profile localnet', values: LOCALNET }
/** The layer of the profile, whose own name no part of the service knows. */
const DEV_LAYER: Layer = { origin: 'profile localnet', values: { profile: LOCALNET.profile } }

function isLocalnet(values: unknown): boolean {
  return member(values, 'profile') === 'localnet'
}

async function problemsOf(values: ConfigValues): Promise<readonly ConfigProblem[]> {
  return values.nodes === undefined
    ? profileProblems(values)
    : nodeProblems(values, profileProblems)
}

function profileProblems(values: ConfigValues): ConfigProblem[] {
  if (values.profile !== 'production') return []
  const problems: ConfigProblem[] = []
  if (values.storage === undefined) {
    problems.push({
      path: 'storage',
      message: 'the production profile needs an explicit storage section',
    })
  }
  if (values.clock !== 'system')
    problems.push({ path: 'clock', message: 'the production profile refuses a simulated clock' })
  if (values.auth.length === 0)
    problems.push({ path: 'auth', message: 'the production profile needs an auth plugin' })
  values.auth.forEach((auth, index) => {
    if (auth.use !== 'open') return
    problems.push({
      path: `auth[${index}].use`,
      message: 'the production profile refuses the development auth "open"',
    })
  })
  return problems
}

/** Adds to each problem where its value came from, and hides what was received at secret places. */
export function explainAll(
  problems: readonly ConfigProblem[],
  { origins, secrets }: Pick<Configuration, 'origins' | 'secrets'>,
): readonly ConfigProblem[] {
  return problems.map((problem) => explain(problem, origins, secrets))
}

/** The same for one problem. */
function explain(
  problem: ConfigProblem,
  origins: ReadonlyMap<string, string>,
  secrets: ReadonlySet<string>,
): ConfigProblem {
  const { received, ...rest } = problem
  const hidden = secrets.has(problem.path) || soundsSecret(problem.path)
  const origin = problem.path === '' ? undefined : originOf(problem.path, origins)
  return {
    ...rest,
    ...(received === undefined ? {} : { received: hidden ? 'a hidden value' : received }),
    ...(origin === undefined || origin === 'default' ? {} : { origin }),
  }
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const child of Object.values(value)) freeze(child)
  }
  return value
}
