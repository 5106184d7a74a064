// Recognises plugins and services by their members: what a package exports or returns is only known
// when it is loaded.
import type { AnyPlugin, PluginKind } from './plugin.ts'
import { member } from './member.ts'
import { KIND_ORDER } from './order.ts'

const MEMBERS: Readonly<Record<PluginKind, readonly string[]>> = {
  storage: ['store', 'location'],
  auth: ['authenticate'],
  scheduler: ['schedule'],
  automation: ['trigger', 'run'],
  extension: [],
}

/** Members that a service of this kind lacks. */
export function missingMembers(kind: PluginKind, service: unknown): readonly string[] {
  const has = (name: string): boolean =>
    typeof service === 'object' && service !== null && name in service
  return MEMBERS[kind].filter((name) => !has(name))
}

/** The reason why a default export is not a plugin; undefined if it is one. */
export function whyNotPlugin(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null)
    return 'its default export is not what definePlugin returns'
  const [kind, name] = [member(value, 'kind'), member(value, 'name')]
  if (!KIND_ORDER.some((known) => known === kind)) {
    return `its kind is ${JSON.stringify(kind)}, not one of ${KIND_ORDER.join(', ')}`
  }
  if (typeof name !== 'string' || !/^[a-z0-9-]+$/.test(name)) {
    return `its name is ${JSON.stringify(name)}; a-z, 0-9 and - are allowed`
  }
  if (typeof member(member(member(value, 'options'), '~standard'), 'validate') !== 'function') {
    return 'its options are not a Standard Schema'
  }
  return typeof member(value, 'setup') === 'function' ? undefined : 'it has no setup function'
}

/** True when `value` is what `definePlugin` returns. */
export function isPlugin(value: unknown): value is AnyPlugin {
  return whyNotPlugin(value) === undefined
}
