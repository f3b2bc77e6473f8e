import type { ShownPing } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import type { ReactNode } from 'react'
import { InvitedPingDetails } from './InvitedPingDetails.tsx'
import { LinkPingDetails } from './LinkPingDetails.tsx'
import { OwnPingDetails } from './OwnPingDetails.tsx'
import { VisitorPingDetails } from './VisitorPingDetails.tsx'

interface Props {
  ping: ShownPing
  /** Null for a visitor, and while the profile of a signed-in user is not loaded. */
  viewer: User | null
  /** Shown if the ping is no longer visible. */
  notFound: ReactNode
  onDeleted: () => void
}

/** The page of a ping, one component per level of access. */
export function PingDetails({ ping, viewer, notFound, onDeleted }: Props) {
  switch (ping.access) {
    case 'owner':
      return <OwnPingDetails ping={ping} viewer={viewer} onDeleted={onDeleted} />
    case 'invitee':
      return <InvitedPingDetails ping={ping} viewer={viewer} />
    case 'link':
      return <LinkPingDetails ping={ping} viewer={viewer} />
    case 'visitor':
      return <VisitorPingDetails pingId={ping.id} ping={ping} notFound={notFound} />
  }
}
