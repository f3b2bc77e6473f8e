import Box from '@mui/material/Box'
import encodeQR from 'qr'
import { useMemo } from 'react'

/** In CSS pixels. Smaller codes are hard to scan. */
const widthPx = { least: 240, most: 280 } as const
const quietModules = 4

/** A QR code, black on white in both color schemes because scanners expect dark modules on a light ground. */
export function QrCode({ text, name }: { text: string; name: string }) {
  const rows = useMemo(() => encodeQR(text, 'raw', { ecc: 'medium', border: quietModules }), [text])
  return (
    <Box
      component="svg"
      role="img"
      aria-label={name}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      // Forced colors must not invert the modules.
      sx={{
        width: '100%',
        minWidth: widthPx.least,
        maxWidth: widthPx.most,
        aspectRatio: '1',
        flexShrink: 0,
        borderRadius: 2,
        forcedColorAdjust: 'none',
      }}
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={pathOf(rows)} fill="#000" />
    </Box>
  )
}

/** One rectangle for each horizontal run of dark modules. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) =>
      row.map((isDark, x) => {
        if (!isDark || row[x - 1] === true) return ''
        const end = row.indexOf(false, x)
        return `M${x} ${y}h${(end < 0 ? row.length : end) - x}v1H${x}z`
      }),
    )
    .join('')
}
