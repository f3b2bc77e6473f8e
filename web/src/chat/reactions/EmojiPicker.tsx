import SearchRounded from '@mui/icons-material/SearchRounded'
import Box from '@mui/material/Box'
import InputBase from '@mui/material/InputBase'
import Typography from '@mui/material/Typography'
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react'
import { readingDirection } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { pressedKey } from '../../ui/pressed-key.ts'
import { type EmojiGroup, emojiGroups, findEmoji } from './emoji-search.ts'
import { Sheet } from './Sheet.tsx'

interface Props {
  open: boolean
  ownEmoji: string | undefined
  onChoose: (emoji: string) => void
  onClose: () => void
  onExited: () => void
}

/** All emoji, with a search by their names. */
export function EmojiPicker({ open, ownEmoji, onChoose, onClose, onExited }: Props) {
  const [text, setText] = useState('')
  const query = useDeferredValue(text.trim())
  const groups = useMemo(
    () => (query === '' ? emojiGroups() : [{ name: t('chat.reaction.picker'), emoji: findEmoji(query) }]),
    [query],
  )

  function handleChoose(emoji: string) {
    setText('')
    onChoose(emoji)
  }

  return (
    <Sheet
      open={open}
      title={t('chat.reaction.picker')}
      onClose={onClose}
      onExited={onExited}
      head={
        <Box sx={{ px: 2, pb: 1 }}>
          <InputBase
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder={t('chat.reaction.search')}
            inputProps={{ 'aria-label': t('chat.reaction.search') }}
            startAdornment={<SearchRounded sx={{ color: 'text.secondary', marginInlineEnd: 1 }} />}
            fullWidth
            sx={{
              minHeight: 44,
              px: 1.5,
              border: 1,
              borderColor: 'divider',
              borderRadius: '22px',
              '&.Mui-focused': { borderColor: 'primary.main' },
              '& input::placeholder': { color: 'text.secondary', opacity: 1 },
            }}
          />
        </Box>
      }
    >
      <EmojiGrid groups={groups} hasHeadings={query === ''} ownEmoji={ownEmoji} onChoose={handleChoose} />
      <Typography role="status" color="textSecondary" sx={{ px: 3 }}>
        {query !== '' && groups[0]?.emoji.length === 0 && t('chat.reaction.none')}
      </Typography>
    </Sheet>
  )
}

interface GridProps {
  groups: readonly EmojiGroup[]
  hasHeadings: boolean
  ownEmoji: string | undefined
  onChoose: (emoji: string) => void
}

/** One stop of the Tab key. The arrow keys move between the emoji. */
function EmojiGrid({ groups, hasHeadings, ownEmoji, onChoose }: GridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const first = groups[0]?.emoji[0]?.emoji

  function handleKey(event: KeyboardEvent) {
    const buttons = [...(grid.current?.querySelectorAll('button') ?? [])]
    const next = nextButton(buttons, document.activeElement as HTMLButtonElement, pressedKey(event) ?? '')
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  }

  return (
    // One click handler for 1,900 buttons.
    <Box
      ref={grid}
      role="group"
      aria-label={t('chat.reaction.picker')}
      onKeyDown={handleKey}
      onClick={(event) => {
        const emoji = (event.target as HTMLElement).closest('button')?.dataset['emoji']
        if (emoji !== undefined) onChoose(emoji)
      }}
      sx={{
        px: 2,
        '& section': { contentVisibility: 'auto', containIntrinsicSize: 'auto 1000px' },
        '& h3': { m: 0, pt: 1.5, pb: 0.5, px: 0.5, fontSize: '0.875rem', fontWeight: 700, color: 'text.secondary' },
        '& .grid': { display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(44px, 1fr))' },
        '& button': {
          height: 44,
          p: 0,
          border: 0,
          borderRadius: '12px',
          bgcolor: 'transparent',
          fontSize: '1.625rem',
          lineHeight: 1,
          cursor: 'pointer',
          '&:hover': { bgcolor: 'action.hover' },
          '&:focus-visible': { outline: '3px solid', outlineColor: 'primary.main', outlineOffset: -3 },
          '&[aria-pressed="true"]': { bgcolor: 'action.selected' },
        },
      }}
    >
      {groups.map(({ name, emoji }) => (
        <section key={name}>
          {hasHeadings && <h3>{name}</h3>}
          <div className="grid">
            {emoji.map((one) => (
              <button
                key={one.emoji}
                type="button"
                data-emoji={one.emoji}
                tabIndex={one.emoji === first ? 0 : -1}
                aria-label={one.name}
                title={one.name}
                aria-pressed={one.emoji === ownEmoji}
              >
                {one.emoji}
              </button>
            ))}
          </div>
        </section>
      ))}
    </Box>
  )
}

/** Returns the button that an arrow key moves to. Up and down go to the next row, at the same place or the last one. */
function nextButton(
  buttons: readonly HTMLButtonElement[],
  from: HTMLButtonElement,
  key: string,
): HTMLButtonElement | undefined {
  const index = buttons.indexOf(from)
  if (index < 0) return undefined
  if (key === 'ArrowRight') return buttons[index + readingDirection]
  if (key === 'ArrowLeft') return buttons[index - readingDirection]
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined
  const { left, top } = from.getBoundingClientRect()
  const others = key === 'ArrowDown' ? buttons.slice(index + 1) : buttons.slice(0, index).reverse()
  let rowTop: number | undefined
  let best: HTMLButtonElement | undefined
  for (const button of others) {
    const box = button.getBoundingClientRect()
    if (Math.abs(box.top - top) < 4) continue
    rowTop ??= box.top
    if (Math.abs(box.top - rowTop) >= 4) break
    if (best === undefined || Math.abs(box.left - left) < Math.abs(best.getBoundingClientRect().left - left))
      best = button
  }
  return best
}
