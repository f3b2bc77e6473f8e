import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { clientConfigQuery } from '../api/client-config.ts'
import { friendLinksQuery } from '../friend-links/friend-links.api.ts'
import { ActionRow } from '../ui/settings/ActionRow.tsx'
import { RowButton } from '../ui/settings/RowButton.tsx'
import { safetyStrings as strings } from './strings.ts'

/** How many friend links can still be used, and the way to their list. */
export function OpenFriendLinks() {
  const navigate = useNavigate()
  const hasLinks = useQuery(clientConfigQuery()).data?.features.friend_links === true
  const { data: links } = useQuery({ ...friendLinksQuery(), enabled: hasLinks })
  if (!hasLinks) return null
  const active = links?.filter(({ uses_left }) => uses_left > 0).length
  return (
    <ActionRow label={strings.friendLinks} {...(active !== undefined && { text: strings.activeLinks(active) })}>
      <RowButton name={strings.showFriendLinks} label={strings.show} onClick={() => void navigate('/friends/links')} />
    </ActionRow>
  )
}
