import type { PingId } from '@hither/contract/ids.ts'
import { useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { tokenOfFragment } from './guest.rules.ts'
import { openToken } from './stored-guests.ts'

/** Stores the guest token of a saved link and removes it from the address, so that no history entry contains it. */
export function useOpenedGuest(pingId: PingId) {
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  const token = tokenOfFragment(hash)

  useLayoutEffect(() => {
    if (token !== null) openToken(pingId, token)
  }, [pingId, token])

  // Not a layout effect: at the first render, the router would not notice the change yet, nor the same link opened again.
  useEffect(() => {
    if (token !== null) void navigate(pathname, { replace: true })
  }, [token, pathname, navigate])
}
