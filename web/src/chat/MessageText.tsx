import Box from '@mui/material/Box'
import { useMemo } from 'react'
import { partsOf } from './message-text.ts'

/** Text and links; nothing that is written ever becomes markup. */
export function MessageText({ content }: { content: string }) {
  const parts = useMemo(() => partsOf(content), [content])
  return parts.map((part, index) =>
    part.kind === 'text' ? (
      part.text
    ) : (
      <Box
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
        key={index}
        component="a"
        href={part.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        onClick={(event) => event.stopPropagation()}
        sx={{ color: 'inherit', fontWeight: 600, textUnderlineOffset: '2px' }}
      >
        {part.text}
      </Box>
    ),
  )
}
