import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { clientConfigQuery } from '../api/client-config.ts'
import { friendLinksQuery } from '../friend-links/friend-links.api.ts'
import { t } from '../i18n/translate.ts'
import { ActionRow } from '../ui/settings/ActionRow.tsx'
import { RowButton } from '../ui/settings/RowButton.tsx'

/** How many friend links can still be used, and the way to their list. */
export function OpenFriendLinks() {
  const navigate = useNavigate()
  const hasLinks = useQuery(clientConfigQuery()).data?.features.friend_links === true
  const { data: links } = useQuery({ ...friendLinksQuery(), enabled: hasLinks })
  if (!hasLinks) return null
  const active = links?.filter(({ uses_left }) => uses_left > 0).length
  return (
    <ActionRow
      label={t('safety.friendLinks')}
      {...(active !== undefined && { text: t('safety.activeLinks', { count: active }) })}
    >
      <RowButton
        name={t('safety.showFriendLinks')}
        label={t('safety.show')}
        onClick={() => void navigate('/friends/links')}
      />
    </ActionRow>
  )
}
