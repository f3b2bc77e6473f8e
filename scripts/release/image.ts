interface Image {
  /** Name and digest. */
  readonly reference: string
  /** The address of the repository on GitHub that the registry `ghcr.io` keeps it for. */
  readonly source: string
}

/** Reads `ghcr.io/OWNER/REPOSITORY@sha256:…`. Throws for a name without a digest, which could be another image tomorrow. */
export function imageOf(reference: string | undefined): Image {
  const [, repository] = /^ghcr\.io\/([a-z0-9._-]+\/[a-z0-9._-]+)@sha256:[0-9a-f]{64}$/.exec(reference ?? '') ?? []
  if (reference === undefined || repository === undefined)
    throw new Error('--image must be ghcr.io/OWNER/REPOSITORY@sha256:… with a complete digest.')
  return { reference, source: `https://github.com/${repository}` }
}
