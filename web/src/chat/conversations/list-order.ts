/** Where the viewer has put a conversation in their own list. At most one of the two times is set. */
export interface Placement {
  pinned_at: string | null
  archived_at: string | null
}

/** The conversations of the main list: pinned ones first, otherwise in the order of the server. */
export function listedConversations<T extends Placement>(all: readonly T[]): readonly T[] {
  const listed = all.filter(({ archived_at }) => archived_at === null)
  return [...listed.filter(isPinned), ...listed.filter((one) => !isPinned(one))]
}

export function archivedConversations<T extends Placement>(all: readonly T[]): readonly T[] {
  return all.filter(({ archived_at }) => archived_at !== null)
}

function isPinned({ pinned_at }: Placement): boolean {
  return pinned_at !== null
}

/** Pinning unarchives, archiving unpins. `at` is null to unpin or unarchive. */
export function withPin<T extends Placement>(one: T, at: string | null): T {
  return { ...one, pinned_at: at, archived_at: at === null ? one.archived_at : null }
}

export function withArchive<T extends Placement>(one: T, at: string | null): T {
  return { ...one, archived_at: at, pinned_at: at === null ? one.pinned_at : null }
}
