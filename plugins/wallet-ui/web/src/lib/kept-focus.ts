// Where the focus goes when what had it is gone: a dialog, a row that was accepted. Left to itself
// it falls back to the top of the page.
import { useEffect } from 'react'

/**
 * What had the focus, and what is around it in the page (nothing for dialogs, which stand outside
 * of it), nearest first.
 */
type Place = readonly HTMLElement[]

const REMEMBERED = 20

/**
 * Gives the focus to where it was before a dialog, else to what is left nearest around. Once for
 * the whole page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let places: readonly Place[] = []
    const note = ({ target }: Event): void => {
      if (target instanceof HTMLElement)
        places = [placeOf(target), ...places.slice(0, REMEMBERED - 1)]
    }
    const keep = (): void => {
      if (document.activeElement !== document.body || places[0]?.[0]?.isConnected !== false) return
      const [left] = places.flatMap((place) => place.find(({ isConnected }) => isConnected) ?? [])
      if (left !== undefined) focus(left)
    }
    const observer = new MutationObserver(keep)
    document.addEventListener('focusin', note)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', note)
      observer.disconnect()
    }
  }, [])
}

function placeOf(element: HTMLElement): Place {
  const around: HTMLElement[] = []
  const page = document.querySelector('main')
  for (
    let one = element.parentElement;
    one !== null && page?.contains(one) === true;
    one = one.parentElement
  )
    around.push(one)
  return [element, ...around]
}

/** Focuses an element, also one that takes no focus by itself, but not by the tabulator. */
function focus(element: HTMLElement): void {
  element.focus({ preventScroll: true })
  if (document.activeElement === element) return
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}
