import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { securityEventsQuery } from '../profile/security/activity/security-events.api.ts'
import { clearEntrance, currentEntrance, useSession } from '../session/session.ts'
import { useOptionalModule } from '../ui/use-optional-module.ts'

const loadNotices = () => import('../profile/security/SecurityNotices.tsx')

/** Shows on Home what the user should know about the security of the account. */
export function HomeNotices() {
  const { user } = useSession()
  const [entrance] = useState(currentEntrance)
  const { data: hasUnseen = false } = useQuery({
    ...securityEventsQuery(),
    enabled: user !== null,
    select: (events) => events.some(({ seen_at }) => seen_at === null),
  })
  const module = useOptionalModule(loadNotices, hasUnseen || entrance !== null)

  useEffect(clearEntrance, [])

  return module && <module.SecurityNotices entrance={entrance} />
}
