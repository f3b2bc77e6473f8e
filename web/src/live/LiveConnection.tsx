import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '../auth/session.ts'

/** Runs the live channel as long as someone is signed in, whatever the screen. Its code comes when it is needed first. */
export function LiveConnection() {
  const { user } = useSession()
  const queryClient = useQueryClient()
  const viewerId = user?.id

  useEffect(() => {
    if (viewerId === undefined) return
    let stop: (() => void) | null = null
    let isOver = false
    void import('./live-client.ts').then(({ startLive }) => {
      if (!isOver) stop = startLive(queryClient, viewerId)
    })
    return () => {
      isOver = true
      stop?.()
    }
  }, [queryClient, viewerId])

  return null
}
