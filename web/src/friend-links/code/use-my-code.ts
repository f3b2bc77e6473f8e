import type { CreatedFriendLink } from '@hither/contract/friend-links.ts'
import type { FriendLinkId } from '@hither/contract/ids.ts'
import { useCallback, useEffect, useState } from 'react'
import { serverNow, useServerTime } from '../../api/server-time.ts'
import { createCode } from '../friend-links.api.ts'

/** A code with less time left is not shown again when the sheet opens. */
const reusedAboveSeconds = 120
const renewedAtSeconds = 30

/** The last code of this page. It is not stored, because it is a secret. */
let last: { userId: string; link: CreatedFriendLink } | null = null

/** A revoked code is not shown again. */
export function forgetCode(linkId: FriendLinkId): void {
  if (last?.link.id === linkId) last = null
}

interface MyCode {
  /** Null while there is no valid code. */
  url: string | null
  secondsLeft: number
  isLoading: boolean
  /** How many times the code has replaced another one in the open sheet. */
  renewals: number
  hasFailed: boolean
  load: () => void
}

/** Creates a QR code for the open sheet, or reuses the last one, and renews it while the page is visible. */
export function useMyCode(userId: string): MyCode {
  const [link, setLink] = useState(() => reusable(userId))
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const [renewals, setRenewals] = useState(0)
  const secondsLeft = useServerTime(1000, (nowMs) => secondsUntil(link, nowMs))

  const load = useCallback(() => {
    setState('loading')
    const isRenewal = link !== null
    createCode().then(
      (created) => {
        last = { userId, link: created }
        setLink(created)
        if (isRenewal) setRenewals((count) => count + 1)
        setState('idle')
      },
      () => setState('failed'),
    )
  }, [userId, link])

  const isDue = secondsLeft <= renewedAtSeconds
  useEffect(() => {
    // The clock ticks again when the page becomes visible. A failed call is repeated by the user.
    if (isDue && state === 'idle' && document.visibilityState === 'visible') load()
  })

  return {
    url: link !== null && secondsLeft > 0 ? link.url : null,
    secondsLeft,
    isLoading: state === 'loading',
    renewals,
    hasFailed: state === 'failed',
    load,
  }
}

function reusable(userId: string): CreatedFriendLink | null {
  const isReused = last?.userId === userId && secondsUntil(last.link, serverNow()) > reusedAboveSeconds
  return isReused ? (last?.link ?? null) : null
}

function secondsUntil(link: CreatedFriendLink | null, nowMs: number): number {
  return link === null ? 0 : Math.max(0, Math.ceil((Date.parse(link.expires_at) - nowMs) / 1000))
}
