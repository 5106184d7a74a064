// What a configuration written in TypeScript imports: gives completion and type checks, does
// nothing else.
import type { ConfigInput } from './schema.ts'

/** Types a `ledgerwright.config.ts`; its default export is what this returns. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config
}
