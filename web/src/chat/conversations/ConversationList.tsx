import AddCommentRounded from '@mui/icons-material/AddCommentRounded'
import Box from '@mui/material/Box'
import Fab from '@mui/material/Fab'
import GlobalStyles from '@mui/material/GlobalStyles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { EmptyDrawing } from '../../ui/empty/EmptyDrawing.tsx'
import { EmptyState } from '../../ui/empty/EmptyState.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { summariesQuery } from '../chat.api.ts'
import { NewChatDialog } from '../new-chat/NewChatDialog.tsx'
import { SearchField } from '../search/SearchField.tsx'
import { isSearchable } from '../search/search.api.ts'
import { ArchivedRow } from './ArchivedRow.tsx'
import { ConversationRows } from './ConversationRows.tsx'
import { ConversationsSkeleton } from './ConversationsSkeleton.tsx'
import { archivedConversations, listedConversations } from './list-order.ts'

const SearchResults = lazyComponent(async () => (await import('../search/SearchResults.tsx')).SearchResults)

/** `isOpening`: a direct conversation is about to be opened and may have to be created first. */
export function ConversationList({ isOpening }: { isOpening: boolean }) {
  const { conversationId } = useParams()
  const summaries = useQuery(summariesQuery())
  const [searched, setSearched] = useState('')
  const [isStarting, setIsStarting] = useState(false)

  return (
    <>
      <Box sx={{ height: '100%', display: 'flex', flexDirection: 'column' }}>
        <Typography
          variant="h2"
          component="h1"
          sx={{
            width: '100%',
            maxWidth: 720,
            mx: 'auto',
            px: { xs: 2, sm: 3, md: 2 },
            pt: { xs: 2.5, sm: 4, md: 2.5 },
            pb: { xs: 1, md: 1.5 },
          }}
        >
          {t('chat.title')}
        </Typography>
        {summaries.data?.length !== 0 && (
          <Box sx={{ width: '100%', maxWidth: 720, mx: 'auto', px: { xs: 2, sm: 3, md: 2 }, pb: 1 }}>
            <SearchField label={t('chat.search.field')} value={searched} onChange={setSearched} />
          </Box>
        )}
        <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', pb: { xs: 12, md: 2 } }}>
          <Box sx={{ maxWidth: 720, mx: 'auto' }}>{content()}</Box>
        </Box>
      </Box>
      {/* An empty list has the same button. */}
      {summaries.data?.length !== 0 && (
        <>
          {conversationId === undefined && <GlobalStyles styles={{ ':root': { '--floating-button': '68px' } }} />}
          <Fab
            variant="extended"
            color="primary"
            onClick={() => setIsStarting(true)}
            sx={{
              position: 'absolute',
              // On a wide screen the snackbar would cover the messages at the bottom of the window.
              bottom: { xs: 16, md: 'auto' },
              top: { md: 12 },
              insetInlineEnd: { xs: 'max(16px, var(--sar), calc((100vw - 720px) / 2 + 24px))', md: 12 },
              height: { xs: 52, md: 44 },
              boxShadow: { md: 'none' },
              gap: 1,
            }}
          >
            <AddCommentRounded />
            {t('chat.newChat')}
          </Fab>
        </>
      )}
      <NewChatDialog open={isStarting} onClose={() => setIsStarting(false)} />
    </>
  )

  function content(): ReactNode {
    if (isOpening) return <ConversationsSkeleton />
    if (isSearchable(searched)) return <SearchResults text={searched} conversationId={null} />
    // Loaded data stays on screen when a later refresh fails. The offline banner informs the user.
    if (summaries.data === undefined) {
      return summaries.isError ? (
        <Box sx={{ px: 2 }}>
          <ErrorAlert
            message={t('chat.listFailed')}
            onRetry={() => void summaries.refetch()}
            isRetrying={summaries.isFetching}
          />
        </Box>
      ) : (
        <ConversationsSkeleton />
      )
    }
    if (summaries.data.length === 0) {
      return (
        <EmptyState
          drawing={<EmptyDrawing subject="chat" />}
          text={t('chat.empty')}
          action={{ label: t('chat.newChat'), onClick: () => setIsStarting(true) }}
        />
      )
    }
    const archivedCount = archivedConversations(summaries.data).length
    return (
      <ConversationRows label={t('chat.list')} summaries={listedConversations(summaries.data)}>
        {archivedCount > 0 && <ArchivedRow count={archivedCount} />}
      </ConversationRows>
    )
  }
}
