import type { PingId } from '@hither/contract/ids.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hasNoResponse, messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import {
  type GuestAnswer,
  isGuestGone,
  isUndelivered,
  nameErrorOf,
  type StoredGuest,
  withoutResponse,
} from './guest.rules.ts'
import { guestQuery, useSendStoredGuest } from './guests.api.ts'
import { newGuestToken, storedGuest, storeGuest, useStoredGuest } from './stored-guests.ts'

export interface GuestFormErrors {
  /** The error of the field for the name. */
  name: string | null
  general: string | null
}

const retryMs = 10_000
const noErrors: GuestFormErrors = { name: null, general: null }

/**
 * The response of this device to a ping. `draft` is the open form, which stays filled in if the server refuses the response.
 * `expiresAt` is the end of the ping, if it is known.
 */
export function useGuestResponse(pingId: PingId, expiresAt: string | null) {
  const queryClient = useQueryClient()
  const stored = useStoredGuest(pingId)
  const { mutateAsync, isPending } = useSendStoredGuest(pingId)
  const [draft, setDraft] = useState<GuestAnswer | null>(null)
  const [errors, setErrors] = useState(noErrors)
  const [wasOpened, setWasOpened] = useState(false)
  // Without a response on the server, what was read before is not shown.
  const token = stored?.isSent ? stored.token : ''
  const view = useQuery({ ...guestQuery(pingId, token), enabled: token !== '' })
  useStoredView(pingId, stored, view.data)

  const isGone = stored?.isSent === true && isGuestGone(view.error)
  useEffect(() => {
    if (!isGone) return
    storeGuest(pingId, withoutResponse(stored, stored.expires_at ?? expiresAt))
    queryClient.removeQueries(guestQuery(pingId, token))
    setErrors({ name: null, general: t('errors.guest_not_found') })
  }, [isGone, pingId, stored, token, expiresAt, queryClient])

  /** Opens the form; null closes it without a change. */
  function open(answer: GuestAnswer | null) {
    setErrors(noErrors)
    setDraft(answer)
    setWasOpened(true)
  }

  /** Stores the response before the first attempt, so that it survives a lost reply and the end of the page. */
  async function submit(answer: GuestAnswer) {
    const before = stored ?? { token: newGuestToken(), name: '', expires_at: expiresAt, isSent: false }
    storeGuest(pingId, { ...before, unsent: answer, isWithdrawn: false })
    await flush()
  }

  async function flush() {
    const unsent = storedGuest(pingId)?.unsent
    setErrors(noErrors)
    try {
      await mutateAsync()
      setDraft(null)
    } catch (error) {
      if (hasNoResponse(error)) return setDraft(null)
      const name = nameErrorOf(error)
      setErrors({ name, general: name === null ? messageOf(error, t('pings.respondFailed')) : null })
      setDraft((open) => open ?? unsent ?? null)
    }
  }

  const isUnsent = stored !== undefined && stored.unsent !== null
  const isWaiting = stored !== undefined && isUndelivered(stored)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function must not start another attempt
  useEffect(() => {
    if (!isWaiting || isPending) return
    // A removal is sent without a change of the form.
    const retry = () => void (isUnsent ? flush() : mutateAsync().catch(() => undefined))
    const timer = setInterval(retry, retryMs)
    window.addEventListener('online', retry)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', retry)
    }
  }, [isUnsent, isWaiting, isPending])

  // A response of an earlier visit is sent when the page opens.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each ping
  useEffect(() => {
    if (isUnsent) void flush()
  }, [pingId])

  return { stored, view, draft, errors, isSending: isPending, wasOpened, open, submit }
}

/** Stores the name and the end of the ping, which may have changed on another device. */
function useStoredView(
  pingId: PingId,
  stored: StoredGuest | undefined,
  view: { guest: { name: string }; ping: { expires_at: string } } | undefined,
) {
  const name = view?.guest.name
  const expires_at = view?.ping.expires_at
  useEffect(() => {
    if (stored === undefined || name === undefined || expires_at === undefined) return
    if (stored.name !== name || stored.expires_at !== expires_at) storeGuest(pingId, { ...stored, name, expires_at })
  }, [pingId, stored, name, expires_at])
}
