import { useLiveStatus } from '../../realtime/live-status.ts'

/** Returns true while the changes of an owner cannot be sent. They never wait for the network. */
export function useIsOffline(): boolean {
  return useLiveStatus() === 'offline'
}
