// The name of a party, made from that of a user.
import { hash } from 'node:crypto'

const MAX_LENGTH = 100
const DIGEST_LENGTH = 8

/**
 * As the name is where a party id may hold it; else sanitised, with a part of its hash, so that no
 * two names have one hint.
 */
export function partyHint(name: string): string {
  if (name.length <= MAX_LENGTH && /^[A-Za-z0-9_-]+$/.test(name) && !name.includes('__'))
    return name
  const digest = hash('sha256', name).slice(0, DIGEST_LENGTH)
  return `${name.slice(0, MAX_LENGTH).replaceAll(/[^A-Za-z0-9-]/g, '-')}__${digest}`
}
