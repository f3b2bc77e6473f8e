export interface Notice {
  kind: 'notice' | 'error'
  text: string
}

const listeners = new Set<(notice: Notice) => void>()

/** Says what became of something that was sent later, whatever screen its sender is on by now. */
export function tell(notice: Notice) {
  for (const listener of [...listeners]) listener(notice)
}

export function subscribeToNotices(listener: (notice: Notice) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
