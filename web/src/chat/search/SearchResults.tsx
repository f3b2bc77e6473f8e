import type { ConversationId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import List from '@mui/material/List'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { useDebouncedValue } from '../../map/places/use-debounced-value.ts'
import { useSession } from '../../session/session.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { summariesQuery } from '../chat.api.ts'
import { FoundMessage } from './FoundMessage.tsx'
import { isSearchable, searchQuery } from './search.api.ts'

interface Props {
  text: string
  /** Null searches all conversations. */
  conversationId: ConversationId | null
  onOpen?: () => void
}

const typingMs = 300

/** The messages that match what is being typed. */
export function SearchResults({ text, conversationId, onOpen }: Props) {
  const { user } = useSession()
  const searched = useDebouncedValue(text.trim(), typingMs)
  const search = useInfiniteQuery(searchQuery(searched, conversationId))
  const conversations = useQuery({ ...summariesQuery(), enabled: false }).data
  const found = search.data?.pages.flatMap(({ messages }) => messages) ?? []
  const isWaiting = searched !== text.trim() || search.isPending || search.isPlaceholderData
  if (!isSearchable(text)) return null

  return (
    <Box sx={{ px: { xs: 1, sm: 2, md: 1 } }}>
      <Box role="status" style={visuallyHidden}>
        {isWaiting ? t('chat.search.searching') : announcement()}
      </Box>
      {content()}
    </Box>
  )

  function announcement(): string {
    if (search.isError) return ''
    return found.length === 0
      ? t('chat.search.none')
      : search.hasNextPage
        ? t('chat.search.moreThan', { count: found.length })
        : t('chat.search.count', { count: found.length })
  }

  function content(): ReactNode {
    if (search.isError) return <Failure error={search.error} onRetry={() => void search.refetch()} />
    if (search.data === undefined) return <Waiting />
    if (found.length === 0 && isWaiting) return <Waiting />
    if (found.length === 0) return <Note>{t('chat.search.none')}</Note>
    return (
      <>
        <List disablePadding aria-label={t('chat.search.results')} sx={{ opacity: isWaiting ? 0.6 : 1 }}>
          {found.map((message) => (
            <FoundMessage
              key={message.id}
              message={message}
              conversation={
                conversationId === null ? conversations?.find(({ id }) => id === message.conversation_id) : undefined
              }
              query={searched}
              isOwn={message.sender_id === user?.id}
              onOpen={onOpen}
            />
          ))}
        </List>
        {search.hasNextPage && (
          <Button
            fullWidth
            sx={{ my: 1 }}
            loading={search.isFetchingNextPage}
            onClick={() => void search.fetchNextPage()}
          >
            {t('chat.search.more')}
          </Button>
        )}
      </>
    )
  }
}

function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!navigator.onLine) return <Note>{t('chat.search.offline')}</Note>
  // The server explains what is wrong with the text.
  const [field] = error instanceof ApiError ? error.fieldErrors : []
  if (field !== undefined) return <Note>{field.msg}</Note>
  return (
    <Box sx={{ p: 1 }}>
      <ErrorAlert message={t('chat.search.failed')} onRetry={onRetry} />
    </Box>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <Typography color="textSecondary" sx={{ px: 2, py: 5, textAlign: 'center' }}>
      {children}
    </Typography>
  )
}

function Waiting() {
  return (
    <Box aria-hidden sx={{ px: 1.5 }}>
      {[160, 120, 200].map((width) => (
        <Box key={width} sx={{ py: 1.25 }}>
          <Skeleton width={width} sx={{ fontSize: '1rem' }} />
          <Skeleton width="80%" sx={{ fontSize: '0.875rem' }} />
        </Box>
      ))}
    </Box>
  )
}
