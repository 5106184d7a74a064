// The product's version as its package states it, read where it is needed.
import { readFileSync } from 'node:fs'
import { member } from '../host/member.ts'

/** The version in package.json, two folders up in a checkout and three in a build. */
export function productVersion(): string {
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8'))
      const version = member(manifest, 'version')
      if (typeof version === 'string') return version
    } catch {
      continue
    }
  }
  return 'unknown'
}
