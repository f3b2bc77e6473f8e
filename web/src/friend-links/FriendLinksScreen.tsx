import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { Column } from '../ui/Column.tsx'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { EmptyDrawing } from '../ui/empty/EmptyDrawing.tsx'
import { EmptyState } from '../ui/empty/EmptyState.tsx'
import { lazyComponent } from '../ui/lazy.tsx'
import { SubpageHeading } from '../ui/SubpageHeading.tsx'
import { useTitle } from '../ui/use-title.ts'
import { FriendLinkRow } from './FriendLinkRow.tsx'
import { failureText, friendLinksQuery } from './friend-links.api.ts'

const LinkDialog = lazyComponent(async () => (await import('./LinkDialog.tsx')).LinkDialog)

/** The active friend links of the user, and the way to revoke each. */
export function FriendLinksScreen() {
  useTitle(t('friend-links.list.title'))
  const links = useQuery(friendLinksQuery())
  const [isCreating, setIsCreating] = useState(false)
  return (
    <Column>
      <Box sx={{ mb: 2 }}>
        <SubpageHeading
          title={t('friend-links.list.title')}
          backTo="/friends"
          backLabel={t('friend-links.list.back')}
        />
      </Box>
      {list()}
      <LinkDialog open={isCreating} onClose={() => setIsCreating(false)} />
    </Column>
  )

  function list() {
    if (links.data === undefined) {
      if (!links.isError) return <Skeleton variant="rounded" height={88} aria-label={t('friend-links.list.loading')} />
      return (
        <ErrorAlert
          message={failureText(links.error, t('friend-links.list.loadFailed'))}
          onRetry={() => void links.refetch()}
          isRetrying={links.isFetching}
        />
      )
    }
    if (links.data.length === 0)
      return (
        <EmptyState
          drawing={<EmptyDrawing subject="sent" />}
          text={t('friend-links.list.empty')}
          action={{ label: t('friend-links.link.shareLink'), onClick: () => setIsCreating(true) }}
        />
      )
    return (
      <Card>
        <Box component="ul" aria-label={t('friend-links.list.title')} sx={{ m: 0, p: 0 }}>
          {links.data.map((link) => (
            <FriendLinkRow key={link.id} link={link} />
          ))}
        </Box>
      </Card>
    )
  }
}
