import type { IdentityKind } from '@hither/contract/auth/oidc.ts'

/** The issuers whose identities this server knows. */
export interface Issuers {
  /** The issuer of Google's tokens, also if Google is not configured any more. */
  readonly google: string
  readonly isGoogleConfigured: boolean
  /** The provider named by `OIDC_ISSUER`. The issuer has no trailing slash. */
  readonly oidc: { readonly issuer: string; readonly name: string } | null
}

/** Returns the kind of an identity; `null` for one of a provider that was configured before. */
export function kindOf(issuers: Issuers, issuer: string): IdentityKind | null {
  if (issuers.oidc && storedFormsOf(issuers.oidc.issuer).includes(issuer)) return 'oidc'
  return issuer === issuers.google ? 'google' : null
}

/**
 * How identities name this issuer. Earlier versions stored the setting as it was written, with or without the last slash.
 */
export function storedFormsOf(issuer: string): string[] {
  return [issuer, `${issuer}/`]
}

export function issuerOf(issuers: Issuers, kind: IdentityKind): string | null {
  return kind === 'oidc' ? (issuers.oidc?.issuer ?? null) : issuers.google
}

/** The issuers with which a person can sign in at the moment, in each form in which identities name them. */
export function configuredIssuers({ google, isGoogleConfigured, oidc }: Issuers): string[] {
  return [...(isGoogleConfigured ? [google] : []), ...(oidc ? storedFormsOf(oidc.issuer) : [])]
}
