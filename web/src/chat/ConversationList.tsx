import AddCommentRounded from '@mui/icons-material/AddCommentRounded'
import Box from '@mui/material/Box'
import Fab from '@mui/material/Fab'
import List from '@mui/material/List'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import { useSession } from '../auth/session.ts'
import { EmptyDrawing } from '../ui/EmptyDrawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { ConversationRow } from './ConversationRow.tsx'
import { ConversationsSkeleton } from './ConversationsSkeleton.tsx'
import { summariesQuery } from './chat.api.ts'
import { NewChatDialog } from './NewChatDialog.tsx'
import { chatStrings } from './strings.ts'
import { useBlocked } from './use-blocked.ts'

/** `isOpening`: one is about to be opened that may have to be made first. */
export function ConversationList({ isOpening }: { isOpening: boolean }) {
  const { conversationId } = useParams()
  const { user } = useSession()
  const summaries = useQuery(summariesQuery())
  const blocked = useBlocked(summaries.data?.some(({ type }) => type === 'group') ?? false)
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
          {chatStrings.title}
        </Typography>
        <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', pb: { xs: 12, md: 2 } }}>
          <Box sx={{ maxWidth: 720, mx: 'auto' }}>{content()}</Box>
        </Box>
      </Box>
      <Fab
        variant="extended"
        color="primary"
        onClick={() => setIsStarting(true)}
        sx={{
          position: 'absolute',
          // Beside the list it would stand in the way of the messages at the bottom of the window.
          bottom: { xs: 16, md: 'auto' },
          top: { md: 12 },
          right: { xs: 'max(16px, var(--sar), calc((100vw - 720px) / 2 + 24px))', md: 12 },
          height: { xs: 52, md: 44 },
          boxShadow: { md: 'none' },
          gap: 1,
        }}
      >
        <AddCommentRounded />
        {chatStrings.newChat}
      </Fab>
      <NewChatDialog open={isStarting} onClose={() => setIsStarting(false)} />
    </>
  )

  function content(): ReactNode {
    if (isOpening) return <ConversationsSkeleton />
    // What was loaded once stays on screen when a later refresh fails; the offline banner tells of it.
    if (summaries.data === undefined) {
      return summaries.isError ? (
        <Box sx={{ px: 2 }}>
          <ErrorAlert
            message={chatStrings.listFailed}
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
          text={chatStrings.empty}
          action={{ label: chatStrings.newChat, onClick: () => setIsStarting(true) }}
        />
      )
    }
    return (
      <List disablePadding aria-label={chatStrings.list} sx={{ px: { xs: 1, sm: 2, md: 1 } }}>
        {summaries.data.map((summary) => (
          <ConversationRow
            key={summary.id}
            summary={summary}
            viewerId={user?.id}
            isOpen={summary.id === conversationId}
            blocked={blocked}
          />
        ))}
      </List>
    )
  }
}
