// Rules for who may call and for what is promised over time.
import { A, B, E, N, fixed } from './rule.ts'
import type { Rule } from './rule.ts'

export const SECURITY_RULES = {
  'security-required': fixed('credentials are needed now: {after}', 'security-optional', B, N),
  'security-optional': fixed(
    'credentials are no longer needed, were {before}',
    'security-required',
    A,
    A,
  ),
  'security-alternative-added': fixed(
    '{name} is accepted too',
    'security-alternative-removed',
    A,
    A,
  ),
  'security-alternative-removed': fixed(
    '{name} is no longer accepted',
    'security-alternative-added',
    B,
    N,
  ),
  'security-scope-added': fixed('{name} needs the scope {after}', 'security-scope-removed', B, N),
  'security-scope-removed': fixed(
    '{name} no longer needs the scope {before}',
    'security-scope-added',
    A,
    A,
  ),
  'security-rewritten': fixed(
    'the security requirements are written in another way',
    'security-rewritten',
    E,
    E,
  ),
  'security-scheme-added': fixed(
    'the security scheme {name} is new',
    'security-scheme-removed',
    A,
    A,
  ),
  'security-scheme-removed': fixed(
    'the security scheme {name} is gone',
    'security-scheme-added',
    B,
    B,
  ),
  'security-scheme-changed': fixed(
    'the security scheme {name} is {after}, was {before}',
    'security-scheme-changed',
    B,
    B,
  ),
  'security-scheme-description-changed': fixed(
    'the description of the security scheme {name} is {after}, was {before}',
    'security-scheme-description-changed',
    E,
    E,
  ),
} satisfies Record<string, Rule>

export const ACCESS_RULES = {
  'access-added': fixed('x-access is {after}, there was none', 'access-removed', B, N),
  'access-removed': fixed('there is no x-access any more, was {before}', 'access-added', A, A),
  'access-token-narrowed': fixed(
    'the token is {after}, was {before}',
    'access-token-widened',
    B,
    N,
  ),
  'access-token-widened': fixed(
    'the token is {after}, was {before}',
    'access-token-narrowed',
    A,
    A,
  ),
  'access-closable-added': fixed(
    'a deployment may close it as {after}',
    'access-closable-removed',
    B,
    N,
  ),
  'access-closable-removed': fixed(
    'a deployment may no longer close it as {before}',
    'access-closable-added',
    A,
    A,
  ),
  'access-closable-changed': fixed(
    'a deployment closes it as {after}, was {before}',
    'access-closable-changed',
    B,
    N,
  ),
  'access-restricted': fixed(
    'only {after} may call it, any authenticated user could',
    'access-opened',
    B,
    N,
  ),
  'access-opened': fixed(
    'any authenticated user may call it, only {before} could',
    'access-restricted',
    A,
    A,
  ),
  'access-alternative-added': fixed('{name} may call it too', 'access-alternative-removed', A, A),
  'access-alternative-removed': fixed(
    '{name} may no longer call it',
    'access-alternative-added',
    B,
    N,
  ),
  'access-condition-added': fixed('{name} must hold besides', 'access-condition-removed', B, N),
  'access-condition-removed': fixed('{name} need no longer hold', 'access-condition-added', A, A),
  'access-provider-changed': fixed(
    'the identity provider is that of {after}, was {before}',
    'access-provider-changed',
    B,
    N,
  ),
  'access-elevated-added': fixed(
    'some kinds need more rights: {after}',
    'access-elevated-removed',
    B,
    N,
  ),
  'access-elevated-removed': fixed(
    'no kinds need more rights, was {before}',
    'access-elevated-added',
    A,
    A,
  ),
  'access-elevated-kind-added': fixed(
    'the kind {name} needs more rights',
    'access-elevated-kind-removed',
    B,
    N,
  ),
  'access-elevated-kind-removed': fixed(
    'the kind {name} needs no more rights',
    'access-elevated-kind-added',
    A,
    A,
  ),
  'access-elevated-changed': fixed(
    '{name} of the elevated kinds is {after}, was {before}',
    'access-elevated-changed',
    B,
    N,
  ),
  'access-changed': fixed('{name} of x-access is {after}, was {before}', 'access-changed', B, N),
  'access-rewritten': fixed('x-access is written in another way', 'access-rewritten', E, E),
} satisfies Record<string, Rule>

export const VERSION_RULES = {
  'stability-decreased': fixed('stability is {after}, was {before}', 'stability-increased', B, N),
  'stability-increased': fixed('stability is {after}, was {before}', 'stability-decreased', A, N),
  'stability-deprecated': fixed(
    'stability is deprecated, was {before}',
    'stability-undeprecated',
    A,
    N,
  ),
  'stability-undeprecated': fixed(
    'stability is {after}, was deprecated',
    'stability-deprecated',
    A,
    N,
  ),
  'stability-changed': fixed('stability is {after}, was {before}', 'stability-changed', A, N),
  'removal-announced': fixed('{name} is announced for {after}', 'removal-withdrawn', A, A),
  'removal-withdrawn': fixed(
    '{name} is no longer announced, was {before}',
    'removal-announced',
    A,
    A,
  ),
  'removal-sooner': fixed('{name} is {after} already, was {before}', 'removal-later', B, N),
  'removal-later': fixed('{name} is {after} only, was {before}', 'removal-sooner', A, N),
  'versions-changed': fixed(
    '{name} of x-versions is {after}, was {before}',
    'versions-changed',
    E,
    E,
  ),
  'body-limit-lowered': fixed(
    'the body may have {after} bytes, was {before}',
    'body-limit-raised',
    B,
    N,
  ),
  'body-limit-raised': fixed(
    'the body may have {after} bytes, was {before}',
    'body-limit-lowered',
    A,
    A,
  ),
  'body-limit-added': fixed(
    "the body may have {after} bytes, was the host's default",
    'body-limit-removed',
    B,
    N,
  ),
  'body-limit-removed': fixed(
    "the body may have the host's default of bytes, was {before}",
    'body-limit-added',
    B,
    N,
  ),
} satisfies Record<string, Rule>
