import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { EmptyDrawing } from '../../ui/empty/EmptyDrawing.tsx'
import { EmptyState } from '../../ui/empty/EmptyState.tsx'
import { summariesQuery } from '../chat.api.ts'
import { ConversationRows } from './ConversationRows.tsx'
import { ConversationsSkeleton } from './ConversationsSkeleton.tsx'
import { archivedConversations } from './list-order.ts'

/** The conversations that the viewer has removed from their list. */
export function ArchivedConversations() {
  const summaries = useQuery(summariesQuery())
  const navigate = useNavigate()
  const { state } = useLocation()

  function handleBack() {
    const { fromList, fromArchived } = (state ?? {}) as { fromList?: boolean; fromArchived?: boolean }
    // The list is the previous history entry only if this screen was opened from it.
    if (fromList && !fromArchived) void navigate(-1)
    else void navigate('/chat', { replace: true })
  }

  return (
    <Box sx={{ height: '100%', display: 'flex', flexDirection: 'column' }}>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 0.5,
          width: '100%',
          maxWidth: 720,
          mx: 'auto',
          px: 1,
          pt: { xs: 1.5, sm: 3, md: 1.5 },
          pb: 1,
        }}
      >
        <IconButton title={t('chat.list.back')} onClick={handleBack}>
          <ArrowBackRounded sx={mirrored} />
        </IconButton>
        <Typography variant="h2" component="h1">
          {t('chat.list.archivedTitle')}
        </Typography>
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', pb: 2 }}>
        <Box sx={{ maxWidth: 720, mx: 'auto' }}>{content()}</Box>
      </Box>
    </Box>
  )

  function content(): ReactNode {
    if (summaries.data === undefined) {
      if (!summaries.isError) return <ConversationsSkeleton />
      return (
        <Box sx={{ px: 2 }}>
          <ErrorAlert
            message={t('chat.listFailed')}
            onRetry={() => void summaries.refetch()}
            isRetrying={summaries.isFetching}
          />
        </Box>
      )
    }
    const archived = archivedConversations(summaries.data)
    if (archived.length === 0)
      return <EmptyState drawing={<EmptyDrawing subject="chat" />} text={t('chat.list.noneArchived')} />
    return <ConversationRows label={t('chat.list.archivedList')} summaries={archived} />
  }
}
