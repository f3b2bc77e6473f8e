import Box from '@mui/material/Box'
import type { ReactElement } from 'react'
import { Virtualizer } from 'virtua'
import { t } from '../../i18n/translate.ts'
import { EmptyDrawing } from '../../ui/empty/EmptyDrawing.tsx'
import { EmptyState } from '../../ui/empty/EmptyState.tsx'
import type { useMessageGestures } from '../message-menu/use-message-gestures.ts'
import type { MessageRow } from './message-rows.ts'
import { typingLinePx } from './TypingLine.tsx'
import type { useMessageScroll } from './use-message-scroll.ts'

interface Props {
  rows: readonly MessageRow[]
  scroll: ReturnType<typeof useMessageScroll>
  gestures: ReturnType<typeof useMessageGestures>
  children: (row: MessageRow) => ReactElement
}

/** Appears to the left of a row that is swiped to the right. */
const replySign = {
  '& [data-swipe]': { position: 'relative' },
  '& [data-swipe]::before': {
    content: '"↩"',
    position: 'absolute',
    insetInlineStart: -40,
    top: 'calc(50% - 16px)',
    width: 32,
    height: 32,
    display: 'grid',
    placeItems: 'center',
    borderRadius: '50%',
    bgcolor: 'divider',
    color: 'text.secondary',
  },
  '& [data-swipe="ready"]::before': { bgcolor: 'primary.main', color: 'primary.contrastText' },
} as const

/** The box in which the rows scroll, of which only those near the visible ones are rendered. */
export function MessageScroller({ rows, scroll, gestures, children }: Props) {
  return (
    <Box
      ref={scroll.scroller}
      component="section"
      aria-label={t('chat.message.list')}
      // A scrollable element must be reachable by keyboard.
      tabIndex={0}
      onScroll={scroll.handleScroll}
      {...gestures}
      sx={{
        height: '100%',
        overflowY: 'auto',
        overflowX: 'hidden',
        overflowAnchor: 'none',
        overscrollBehaviorY: 'contain',
        '&:focus-visible': { outline: '3px solid', outlineColor: 'primary.main', outlineOffset: -3 },
        '& ul': { listStyle: 'none', m: 0, p: 0 },
        // The theme adds transitions to all elements. The virtual list measures its rows, so they must change at
        // once.
        '& ul, & ul > li': { transitionProperty: 'none' },
        // The virtual list ignores taps for a moment after each movement, also if a new message has moved it.
        '& ul > li': { pointerEvents: 'auto' },
        ...replySign,
      }}
    >
      <Box
        ref={scroll.content}
        sx={{ minHeight: '100%', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'end' }}
      >
        {rows.length === 0 ? (
          <Box sx={{ flexGrow: 1, display: 'grid', placeItems: 'center' }}>
            <EmptyState drawing={<EmptyDrawing subject="chat" />} text={t('chat.message.none')} />
          </Box>
        ) : (
          <Virtualizer
            ref={scroll.list}
            as="ul"
            item="li"
            data={rows}
            scrollRef={scroll.scroller}
            shift={scroll.isPrepended}
            bufferSize={600}
          >
            {children}
          </Virtualizer>
        )}
        <Box sx={{ height: typingLinePx }} />
      </Box>
    </Box>
  )
}
