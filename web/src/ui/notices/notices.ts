export interface NoticeAction {
  readonly label: string
  readonly onClick: () => void
}

export interface Notice {
  readonly kind: 'notice' | 'error'
  readonly text: string
  readonly actions?: readonly NoticeAction[]
}

const listeners = new Set<(notice: Notice) => void>()

/** Shows a message from code outside of the component tree, on whichever screen the user is by then. */
export function publishNotice(notice: Notice) {
  for (const listener of [...listeners]) listener(notice)
}

export function subscribeToNotices(listener: (notice: Notice) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
