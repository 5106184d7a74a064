// The public entry of the runtime: all that a plugin may import.
export * from './host/plugin.ts'
export type * from './host/log.ts'
export type * from './host/standard-schema.ts'
export * from './store/rules.ts'
export type * from './store/store.ts'
export { defineConfig } from './host/config/define.ts'
export type { ConfigInput } from './host/config/schema.ts'
export type { Credentials } from './http/guard.ts'
