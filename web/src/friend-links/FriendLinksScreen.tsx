import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Column } from '../ui/Column.tsx'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { EmptyDrawing } from '../ui/empty/EmptyDrawing.tsx'
import { EmptyState } from '../ui/empty/EmptyState.tsx'
import { lazyComponent } from '../ui/lazy.tsx'
import { SubpageHeading } from '../ui/SubpageHeading.tsx'
import { useTitle } from '../ui/use-title.ts'
import { FriendLinkRow } from './FriendLinkRow.tsx'
import { failureText, friendLinksQuery } from './friend-links.api.ts'
import { linkStrings, listStrings as strings } from './strings.ts'

const LinkDialog = lazyComponent(async () => (await import('./LinkDialog.tsx')).LinkDialog)

/** The active friend links of the user, and the way to revoke each. */
export function FriendLinksScreen() {
  useTitle(strings.title)
  const links = useQuery(friendLinksQuery())
  const [isCreating, setIsCreating] = useState(false)
  return (
    <Column>
      <Box sx={{ mb: 2 }}>
        <SubpageHeading title={strings.title} backTo="/friends" backLabel={strings.back} />
      </Box>
      {list()}
      <LinkDialog open={isCreating} onClose={() => setIsCreating(false)} />
    </Column>
  )

  function list() {
    if (links.data === undefined) {
      if (!links.isError) return <Skeleton variant="rounded" height={88} aria-label={strings.loading} />
      return (
        <ErrorAlert
          message={failureText(links.error, strings.loadFailed)}
          onRetry={() => void links.refetch()}
          isRetrying={links.isFetching}
        />
      )
    }
    if (links.data.length === 0)
      return (
        <EmptyState
          drawing={<EmptyDrawing subject="sent" />}
          text={strings.empty}
          action={{ label: linkStrings.shareLink, onClick: () => setIsCreating(true) }}
        />
      )
    return (
      <Card>
        <Box component="ul" aria-label={strings.title} sx={{ m: 0, p: 0 }}>
          {links.data.map((link) => (
            <FriendLinkRow key={link.id} link={link} />
          ))}
        </Box>
      </Card>
    )
  }
}
